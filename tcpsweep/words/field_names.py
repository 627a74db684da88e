# SPDX-License-Identifier: MIT
"""The field's names for congestion controls and queue discs, as Linux and papers write them, and ns-3's for the same.

They are in small letters, in which no type of ns-3 and no variant of our own begins, so none is hidden by another.
"""

VARIANTS = {
    "bbr": "TcpBbr",
    "bic": "TcpBic",
    "cubic": "TcpCubic",
    "dctcp": "TcpDctcp",
    "highspeed": "TcpHighSpeed",
    "htcp": "TcpHtcp",
    "hybla": "TcpHybla",
    "illinois": "TcpIllinois",
    "ledbat": "TcpLedbat",
    "lp": "TcpLp",
    "newreno": "TcpNewReno",
    "scalable": "TcpScalable",
    "vegas": "TcpVegas",
    "veno": "TcpVeno",
    "westwood": "TcpWestwood",
    "yeah": "TcpYeah",
}
DISCS = {
    "cobalt": "CobaltQueueDisc",
    "codel": "CoDelQueueDisc",
    "fifo": "FifoQueueDisc",
    "fq_cobalt": "FqCobaltQueueDisc",
    "fq_codel": "FqCoDelQueueDisc",
    "fq_pie": "FqPieQueueDisc",
    "mq": "MqQueueDisc",
    "pfifo": "FifoQueueDisc",
    "pfifo_fast": "PfifoFastQueueDisc",
    "pie": "PieQueueDisc",
    "prio": "PrioQueueDisc",
    "red": "RedQueueDisc",
    "tbf": "TbfQueueDisc",
}
# Names that stand for more than one thing, or for none that a file can name, to what to write.
_ASKED_BACK = {
    "reno": "write TcpLinuxReno, which opens its window by one segment a round trip as RFC 5681 and Linux do, or "
    "TcpNewReno, ns-3's own, which with delayed ACKs opens it half as fast",
    "bbr2": "write TcpBbr, BBR's first version; ns-3 has no later one",
    "bbr3": "write TcpBbr, BBR's first version; ns-3 has no later one",
    "bbrv2": "write TcpBbr, BBR's first version; ns-3 has no later one",
    "bbrv3": "write TcpBbr, BBR's first version; ns-3 has no later one",
    "droptail": "write none, which is a drop-tail queue of the size `queue`",
}


def asked_back(name: str) -> str:
    """What to write for a name, in any letters, that does not say what is meant; empty for all other names."""
    return _ASKED_BACK.get(_plain(name).removeprefix("tcp").replace("_", ""), "")


def meant(name: str) -> str:
    """ns-3's name that another writing of a field's name means, such as ``Cubic`` or ``FQ-CoDel``; empty for none."""
    plain, known = _plain(name), VARIANTS | DISCS
    return known.get(plain, known.get(plain.removeprefix("tcp").strip("_"), ""))


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")

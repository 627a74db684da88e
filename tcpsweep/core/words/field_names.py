# SPDX-License-Identifier: MIT
"""Names of congestion controls, queue discs and attributes: ns-3's, Linux', and papers' names.

The field's names are in small letters. Types of ns-3 and our own variants begin with a capital letter, so the names
cannot clash. Congestion controls of another implementation have its name before a colon, such as ``linux:cubic``.
"""

import functools
import re

# The implementations of congestion control besides ns-3, with their names for print, and what follows the colon. Linux'
# names have at most TCP_CA_NAME_MAX characters, with the end of the text.
IMPLEMENTATIONS = {"linux": "Linux", "quic": "QUIC"}
_VARIANT_OF_OTHERS = re.compile(r"(?:(linux):[a-z][a-z0-9_-]{0,14}|(quic):.*)", re.DOTALL)
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
    "prague": "TcpPrague",
    "scalable": "TcpScalable",
    "vegas": "TcpVegas",
    "veno": "TcpVeno",
    "westwood": "TcpWestwood",
    "yeah": "TcpYeah",
}
DISCS = {
    "cobalt": "CobaltQueueDisc",
    "codel": "CoDelQueueDisc",
    "dualpi2": "DualPi2QueueDisc",
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
# Names that are ambiguous or unavailable, to the message that says what to write.
_ADVICE_BY_NAME = {
    "reno": "ns-3 has two; write TcpLinuxReno, which adds one segment to its window per round trip, like RFC 5681 and "
    "Linux, or TcpNewReno, which with delayed ACKs adds half as much",
    "bbr2": "there are version 1 of BBR, TcpBbr, and version 3, TcpBbr3",
    "bbr3": "write TcpBbr3",
    "bbrv2": "there are version 1 of BBR, TcpBbr, and version 3, TcpBbr3",
    "bbrv3": "write TcpBbr3",
    "quic": "name a stack and its congestion control: write quic:noq/cubic, quic:noq/newreno or quic:noq/bbr3",
    "droptail": "write none for a drop-tail queue of the size `queue`",
}


def asked_back(name: str) -> str:
    """What to write instead of an ambiguous or unavailable name, in any case; empty for other names."""
    return _ADVICE_BY_NAME.get(_field_spelling(name).removeprefix("tcp").replace("_", ""), "")


def meant(name: str) -> str:
    """ns-3's name for another spelling of a field's name, such as ``Cubic`` or ``FQ-CoDel``; empty if unknown."""
    field_spelling, ns3_names = _field_spelling(name), VARIANTS | DISCS
    return ns3_names.get(field_spelling, ns3_names.get(field_spelling.removeprefix("tcp").strip("_"), ""))


def _field_spelling(name: str) -> str:
    return name.lower().replace("-", "_")


def implementation(variant: str) -> str:
    """The text before a variant's colon, one of `IMPLEMENTATIONS`; empty for ns-3's variants."""
    match = _VARIANT_OF_OTHERS.fullmatch(variant)
    return match[1] or match[2] if match else ""


def stack_and_control(variant: str) -> tuple[str, str]:
    """Of another implementation's variant, the stack and the algorithm: ``quic:noq/cubic`` has noq and cubic.

    The stack is empty if the implementation has only one, as Linux.
    """
    stack, _, control = variant.partition(":")[2].rpartition("/")
    return stack, control


@functools.cache  # called for each name in each combination
def is_attribute(name: str) -> bool:
    """Whether a name is an ns-3 attribute's, not a parameter's."""
    return name.startswith("ns3::")

# SPDX-License-Identifier: MIT
"""Words in sweep files for features that tcpsweep lacks, to their names in `docs/not-for.md`."""

PAGE = "docs/not-for.md"
_FEATURE_BY_WORD = {
    **dict.fromkeys(("mptcp", "multipath", "subflows"), "multipath TCP"),
    **dict.fromkeys(("sctp",), "SCTP"),
    **dict.fromkeys(
        ("transport", "protocol", "transports"), "such key; a variant such as `quic:noq/cubic` makes a flow of QUIC"
    ),
    **dict.fromkeys(("hosts", "host", "testbed", "servers", "machines", "ssh"), "real hosts: it only simulates"),
    **dict.fromkeys(("mininet", "netem", "mahimahi", "emulation"), "emulation or real traffic"),
    **dict.fromkeys(
        ("flent", "iperf", "iperf3"), "such key; `sender_program` makes a program a flow of Linux' TCP in virtual time"
    ),
    **dict.fromkeys(("routing", "link_failure", "failures"), "routing protocols or failing links"),
    **dict.fromkeys(
        ("lte", "nr", "5g", "4g", "cellular", "satellite", "leo"),
        "radio cells or orbits, only links that follow a trace or a schedule of them",
    ),
    **dict.fromkeys(("mobility", "speed", "velocity"), "stations that move"),
    **dict.fromkeys(
        ("optimize", "optimise", "optimizer", "objective"),
        "such key; `search` finds the network in which a variant is worst or best",
    ),
}


def not_done(word: object) -> str:
    """The message that tcpsweep lacks a word's feature; empty for other words."""
    plain = word.lower().replace("-", "_").replace(" ", "_") if isinstance(word, str) else ""
    feature = _FEATURE_BY_WORD.get(plain) or _FEATURE_BY_WORD.get(plain.removeprefix("tcp").strip("_"))
    return f"tcpsweep has no {feature}: see {PAGE}" if feature else ""

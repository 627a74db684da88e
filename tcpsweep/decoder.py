# SPDX-License-Identifier: MIT
"""The compiled half of `packets`: the library that reads pcap files."""

from tcpsweep import codeid, engine
from tcpsweep.build import build

NATIVE = codeid.PACKAGE / "native"


def code_id():
    """The identity of the library's code as it stands now."""
    return codeid.cpp_id("packets", NATIVE)


def place():
    """Where the library is or will be."""
    return engine.BUILD / f"packets-{code_id()}" / "libtcpsweep-packets.so"


def library():
    """Compile the library where it is not there yet.

    Returns
    -------
    Path

    Raises
    ------
    BuildError
    """
    return build(NATIVE, place())

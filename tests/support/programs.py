# SPDX-License-Identifier: MIT
"""The ns-3 of the tests, and programs compiled for it."""

import pytest

from tcpsweep.core.ns3 import engine, programs
from tcpsweep.core.store import compiled_programs


def found_ns3(build_folder, prefix=None):
    """The ns-3 of an installation prefix or else of the Python environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TCPSWEEP_BUILD", str(build_folder))
        return engine.find(prefix)


def compiled(build_folder, prefix=None, name="dumbbell"):
    """A scenario, compiled against the ns-3 of an installation prefix or else of the Python environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TCPSWEEP_BUILD", str(build_folder))
        return programs.compile_program(engine.find(prefix), name).resolve()


def replace(program, lines):
    """Write a script in the place of a compiled program, and its digest into the record next to it."""
    program.unlink(missing_ok=True)
    (program.parent / compiled_programs.RECORD).unlink(missing_ok=True)
    program.write_text("\n".join([*lines, ""]))
    program.chmod(0o755)
    compiled_programs.write_record(program.parent, "", [], 1.0)

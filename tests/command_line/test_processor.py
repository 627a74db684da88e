# SPDX-License-Identifier: MIT
"""A processor without the instructions that polars needs gets one message."""

import pytest

from tcpsweep.command_line import processor
from tcpsweep.words.user_error import UserError

CPUINFO = "processor\t: 0\nmodel name\t: {}\nflags\t\t: fpu sse4_2 {}\n\nprocessor\t: 1\n"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        (CPUINFO.format("Nehalem", "popcnt"), ["avx2", "bmi2", "fma"]),
        (CPUINFO.format("Haswell", "fma bmi1 avx2 bmi2"), []),
        ("processor\t: 0\nFeatures\t: fp asimd\n", []),
        (None, []),
    ],
)
def test_the_missing_instructions_are_those_that_cpuinfo_lacks(tmp_path, text, missing):
    file = tmp_path / "cpuinfo"
    if text is not None:
        file.write_text(text)
    assert processor._missing(processor._flags(file)) == missing


def test_an_old_processor_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(processor.platform, "machine", lambda: "x86_64")
    monkeypatch.delenv("POLARS_SKIP_CPU_CHECK", raising=False)
    monkeypatch.setattr(processor, "_flags", lambda cpuinfo: ["fma"])
    with pytest.raises(UserError, match=r"this processor lacks avx2, bmi2, which polars needs.*`-cpu host` in QEMU"):
        processor.check()
    monkeypatch.setenv("POLARS_SKIP_CPU_CHECK", "1")
    processor.check()

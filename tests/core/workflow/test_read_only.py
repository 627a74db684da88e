# SPDX-License-Identifier: MIT
"""A sweep does not start where its report cannot be written."""

import os
import subprocess
import sys

import pytest

from tests.support.tools import tool
from tests.torture.place import NO_OVERRIDE

CHECK = """\
from pathlib import Path

from tcpsweep.core.words.user_error import UserError
from tcpsweep.core.workflow import planning


def check(folder):
    for mode in (0o755, 0o555, 0o755):
        folder.chmod(mode)
        try:
            planning.check_reports()
            print("fine")
        except UserError as error:
            print(error)


check(Path.cwd())
Path("reports").mkdir()
check(Path("reports"))
"""


@pytest.mark.long
def test_a_place_where_no_report_can_be_written_is_named(tmp_path):
    own = [] if os.geteuid() else [tool(NO_OVERRIDE[0]), *NO_OVERRIDE[1:]]
    done = subprocess.run([*own, sys.executable, "-c", CHECK], cwd=tmp_path, stdout=-1, text=True, check=True)
    told = (
        f"{tmp_path}/reports cannot be written, and the report goes there: "
        "make it a folder, or a link to one, in which you may write"
    )
    assert done.stdout.splitlines() == ["fine", told, "fine"] * 2

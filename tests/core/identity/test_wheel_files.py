# SPDX-License-Identifier: MIT
"""Files of an installed wheel are compared with the list that pip keeps."""

import base64
import hashlib

import pytest

from tcpsweep.core.command_line.commands import start_snakemake
from tcpsweep.core.identity import wheel_files
from tcpsweep.core.words.user_error import UserError
from tests.support.damage import turn_a_bit

FILES = {"tcpsweep/project/config/known-defects.yaml": "defects: []\n", "tcpsweep/__init__.py": "x = 1\n"}


@pytest.fixture
def package(tmp_path):
    """The folder of an installed package, with its list."""
    lines = ["tcpsweep-0.1.0.dist-info/RECORD,,", "tcpsweep/__pycache__/__init__.cpython-311.pyc,,"]
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        lines.append(f"{name},sha256={digest},{len(text)}")
    (tmp_path / "tcpsweep-0.1.0.dist-info").mkdir()
    (tmp_path / "tcpsweep-0.1.0.dist-info" / "RECORD").write_text("\n".join(lines))
    return tmp_path / "tcpsweep"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", [turn_a_bit, lambda path: path.unlink(), lambda path: path.write_text("d")])
def test_a_damaged_file_of_an_installed_tcpsweep_is_named_before_a_sweep(package, name, damage):
    start_snakemake._check_own_files(package)
    damage(path := package.parent / name)
    with pytest.raises(UserError, match=rf"^{path} is not as it was installed; .*--force-reinstall WHEEL`$"):
        start_snakemake._check_own_files(package)


def test_a_clone_has_no_list_and_other_files_are_left_out(package, tmp_path):
    start_snakemake._check_own_files(tmp_path / "clone" / "tcpsweep")
    record = wheel_files.record(package, "tcpsweep")
    (package / "new.py").write_text("")
    assert wheel_files.damaged(record, [package / "new.py", tmp_path.parent / "elsewhere.py"]) is None

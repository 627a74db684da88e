# SPDX-License-Identifier: MIT
"""Two users of one group extend each other's sweeps in a shared folder."""

import os
import shutil

import pytest

from tests.support.processes import ran
from tests.support.project import SMALL, TCPSWEEP, Project, edit
from tests.support.tools import forbidden, tool

pytestmark = pytest.mark.long

USERS, GROUP = (54321, 54322), 54320
# A user has no rights in a folder but to look for files, so that tests run wherever Python and the checkout lie.
AS_USER = ["setpriv", "--reuid={}", f"--regid={GROUP}", "--clear-groups", "--no-new-privs"]
AS_USER += ["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"]
AS_USER += ["--bounding-set=-all,+dac_read_search", "sh", "-c", 'umask 002; exec "$@"', "sh"]


@pytest.fixture
def shared(finished, tmp_path):
    """A project in a folder that belongs to a group, in which all new files do."""
    tool("setpriv")
    if os.geteuid():
        forbidden("only root can be two users")
    project = finished.copy(tmp_path / "project")
    for name in ("results", "reports", ".snakemake"):
        shutil.rmtree(project / name, ignore_errors=True)
    os.chown(project.folder, 0, GROUP)
    project.folder.chmod(0o2775)
    return project


def sweep_as(user, project: Project):
    """Run the sweep as a user without a name and without a home."""
    environment = {name: value for name, value in project.environment.items() if name != "HOME"}
    environment |= {"XDG_CACHE_HOME": str(project / f"cache-{user}"), "TMPDIR": str(project.folder)}
    command = [*(word.format(user) for word in AS_USER), TCPSWEEP, "sweep", "sweep.yaml"]
    return ran(*command, cwd=project.folder, env=environment)


def test_each_of_two_users_goes_on_where_the_other_ended(shared):
    edit(shared / "sweep.yaml", "[TcpNewReno, TcpCubic]", "[TcpNewReno]")
    for user, file in zip((*USERS, USERS[0]), (None, "[TcpNewReno, TcpCubic]", "[TcpNewReno, TcpVegas]"), strict=True):
        if file:
            (shared / "sweep.yaml").write_text(SMALL.replace("[TcpNewReno, TcpCubic]", file))
        done = sweep_as(user, shared)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
    owners = {path.stat().st_uid for path in (shared / "results").rglob("*")}
    assert owners == set(USERS)
    closed = [path for path in (shared / "results").rglob("*") if not path.stat().st_mode & 0o020]
    assert closed == []

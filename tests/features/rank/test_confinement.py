# SPDX-License-Identifier: MIT
"""What code in the sandboxes can see, change and use up."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tcpsweep.features.rank import allowed_calls, confined_run, confinement, vetting


def test_running_simulations_loads_neither_tables_nor_planning():
    code = "import sys, tcpsweep.registry.running; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not [name for name in loaded if name == "polars" or name.startswith(("tcpsweep.core.plan", "snakemake"))]


@pytest.mark.parametrize(
    ("symbol", "scopes"),
    [
        ("_ZN3ns39Simulator3NowEv", ["ns3", "Simulator", "Now"]),
        ("_ZNK3ns36ObjectD2Ev", ["ns3", "Object"]),
        ("_ZTIN3ns310TcpNewRenoE", ["ns3", "TcpNewReno"]),
        ("_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode", ["std", "basic_filebuf"]),
        ("_ZSt4cerr", ["std", "cerr"]),
        ("fopen", ["fopen"]),
    ],
)
def test_the_scopes_of_a_symbol(symbol, scopes):
    # As c++filt prints them; a template's arguments end them.
    assert allowed_calls.scopes(symbol) == scopes


@pytest.mark.parametrize("before", ["", "1'000'0", "u8'\"'", "'\\''", 'R"x(")x"', 'u8R"(\\)"', '"\\\\"'])
def test_assembly_is_seen_between_literals(before):
    text = 'int a() asm("b"); const char* c = "asm(1)"; '
    vetting._check_assembly(f"{text}{before}; {before};")
    with pytest.raises(vetting._Refused, match="inline assembly"):
        vetting._check_assembly(f'{text}{before}; asm("nop; nop"); {before};')


@pytest.fixture
def confined(sandbox, tmp_path):
    """Runs a script in the sandbox of a simulation; returns its status and what it said."""

    def confined(script, program="sh", seconds=20):
        out = tmp_path / "out"
        out.mkdir(exist_ok=True)
        status = confined_run.confined([f"/usr/bin/{program}", "-c", script], out, seconds)
        return status, (out / "log.txt").read_text()

    return confined


@pytest.mark.long
def test_a_simulation_sees_no_files_of_the_host(confined, tmp_path):
    (tmp_path / "secret").write_text("hidden")
    status, said = confined(f"cat /etc/passwd; cat {tmp_path}/secret; ls /proc /root /home /work; env")
    assert status == 0
    assert "hidden" not in said
    assert "root:" not in said
    names = {line.split("=")[0] for line in said.splitlines() if "=" in line}
    assert names <= {"PATH", "LC_ALL", "LD_PRELOAD", "PWD", "OLDPWD", "SHLVL", "_"}


@pytest.mark.long
def test_a_simulation_does_not_load_what_its_users_programs_load(confined, tmp_path, monkeypatch):
    library = shutil.copy(next(Path("/usr/lib").rglob("libm.so.6")), tmp_path / "liblocal.so")
    monkeypatch.setenv("LD_PRELOAD", str(library))
    assert confined("true") == (0, "")


@pytest.mark.long
def test_a_simulation_reads_its_program_by_a_link(sandbox, tmp_path):
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "real" / "inner" / "program").symlink_to("/usr/bin/true")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "out").mkdir()
    (tmp_path / "real" / "inner" / "again").symlink_to(tmp_path / "real" / "inner")
    argument = f"--load={tmp_path}/real/inner,{tmp_path}/real/inner/again"
    command = [str(tmp_path / "link" / "inner" / "program"), argument]
    assert confined_run.confined(command, tmp_path / "out", 20) == 0, (tmp_path / "out" / "log.txt").read_text()


@pytest.mark.long
def test_a_simulation_writes_only_to_its_folder(confined, tmp_path):
    places = f"/x /dev/x /dev/shm/x /usr/x {tmp_path}/x {tmp_path}/out/x"
    assert confined(f"for name in {places}; do echo x > $name && echo wrote $name; done")[0] == 0
    written = (tmp_path / "out" / "log.txt").read_text().split("wrote ")[1:]
    assert [name.split()[0] for name in written] == [f"{tmp_path}/x", f"{tmp_path}/out/x"]
    # The first is in a /tmp of its own, and gone.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


@pytest.mark.long
def test_a_simulation_starts_few_processes(confined):
    status, said = confined("import os\nwhile True:\n    os.fork()", program="python3")
    assert status == -signal.SIGKILL
    assert "stopped: it started more than 64 processes" in said


@pytest.mark.long
@pytest.mark.parametrize("call", ["unshare 0x10000000", "socket 2 1 0", "memfd_create 0 0", "ptrace 0 0 0 0"])
def test_a_simulation_cannot_make(call, confined):
    name, *arguments = call.split()
    made = f"c.{name}({','.join(arguments)})"
    script = f"import ctypes; c = ctypes.CDLL(None, use_errno=True); print({made}, ctypes.get_errno())"
    assert confined(script, program="python3") == (0, "-1 1\n")


@pytest.mark.long
def test_a_simulation_takes_limited_memory(confined):
    status, said = confined("x = b'x' * 4_000_000_000", program="python3")
    assert status
    assert "MemoryError" in said


@pytest.mark.long
def test_a_simulation_writes_limited_files(confined, tmp_path, monkeypatch):
    monkeypatch.setattr(confined_run, "MOST_FOLDER_BYTES", 50_000_000)
    script = f"i = 0\nwhile True:\n    i += 1\n    open(f'{tmp_path}/out/{{i}}', 'wb').write(bytes(1_000_000))"
    status, said = confined(script, program="python3")
    assert (status, said.strip()) == (-signal.SIGKILL, "stopped: it wrote more than 0.1 GB")


@pytest.mark.long
def test_a_simulations_long_messages_are_cut(confined):
    assert confined("print('x' * 5_000_000)", program="python3") == (0, "x" * 1_000_000)


@pytest.mark.long
def test_a_simulation_ends_in_time_and_the_job_hears_of_it(confined, tmp_path):
    for script, seconds in (("while true; do true; done", 2), ("sleep 60", 0.2)):
        status, said = confined(script, seconds=seconds)
        assert (status, said.strip()) == (-signal.SIGKILL, "stopped: it did not end in time")
    with pytest.raises(subprocess.TimeoutExpired):
        confined_run.confined(["/usr/bin/sleep", "60"], tmp_path / "out", 0.2, is_raised=True)


@pytest.mark.long
def test_a_simulation_that_only_waits_for_a_processor_is_not_stopped(confined):
    assert confined("sleep 3", seconds=1) == (0, "")


@pytest.mark.long
def test_a_simulation_ends_with_the_process_that_was_killed(sandbox, tmp_path):
    code = (
        "import sys; from pathlib import Path; from tcpsweep.features.rank import confined_run;"
        "confined_run.confined(['/usr/bin/sleep', sys.argv[1]], Path(sys.argv[2]), 100)"
    )
    seconds = "97.531"
    with subprocess.Popen([sys.executable, "-c", code, seconds, tmp_path]) as parent:
        _until(lambda: _running(seconds, parent.pid))
        parent.kill()
    _until(lambda: not _running(seconds, parent.pid))


def _running(word, parent):
    """Whether a program with this argument runs, other than the process ``parent``."""
    listed = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return any(word in line and "sleep " in line and "confined" not in line for line in listed.splitlines())


def _until(is_so):
    ends = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.05)


@pytest.mark.long
def test_a_campaign_writes_only_to_its_folder_and_makes_sandboxes_inside(sandbox, tmp_path):
    code = (
        "import getpass, os, sys; from pathlib import Path; from tcpsweep.features.rank import confined_run;"
        "out = Path('out'); out.mkdir(); print(getpass.getuser(),"
        "confined_run.confined(['/usr/bin/true'], out, 20), os.listdir(Path.home().parent.parent),"
        "os.access(Path(confined_run.__file__), os.W_OK))"
    )
    command = confinement.campaign(tmp_path / "ranking", [sys.executable, "-c", code])
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert ended.stdout.split() == ["user", "0", "['ranking']", "False"], ended.stderr

# SPDX-License-Identifier: MIT
"""`tcpsweep kernel`: sources and what is wrong with them, missing programs, and kernels that do not build or run."""

import dataclasses
import functools
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tcpsweep.core.plan import build_users
from tcpsweep.core.store import compiled_programs
from tcpsweep.features.linux import kernel, kernel_build, kernel_command, kernel_source
from tcpsweep.features.linux.build import BUILD
from tcpsweep.features.linux.kernel_source import NoKernel
from tests.features.linux.conftest import messages
from tests.support.damage import turn_a_bit
from tests.support.tools import tool as path_of

VERSION = "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 3\nEXTRAVERSION =\n"
MAKEFILE = "\n" + Path(__file__).with_name("kernel.mk").read_text()


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "cache"))


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "linux-6.12.3"
    for name in ("arch/um/um.c", "arch/arm/arm.c", "arch/arm/Kconfig", "net/ipv4/tcp.c", "Documentation/index.rst"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "Makefile").write_text(VERSION + MAKEFILE)
    return folder


def test_a_source_has_the_version_of_its_makefile_and_an_identity_of_its_content(tree):
    before = kernel_source.find(str(tree))
    assert before.version == "6.12.3"
    (tree / "net/ipv4/tcp.o").write_text("what a build left")
    (tree / "Documentation/index.rst").write_text("what no build reads")
    os.mkfifo(tree / "net/pipe")
    assert kernel_source.find(str(tree)).id == before.id
    (tree / "net/ipv4/tcp.c").write_text("another constant")
    assert kernel_source.find(str(tree)).id != before.id
    (tree / "Makefile").write_bytes((VERSION + "# \u00e9\n").encode("latin-1"))
    assert kernel_source.find(str(tree)).version == "6.12.3"


def test_a_large_makefile_is_never_read_at_once(tree):
    with (tree / "Makefile").open("a") as file:
        file.truncate(1_500_000_000)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000,) * 2)"
    code = (
        f"{limit}; from tcpsweep.features.linux import kernel_source; print(kernel_source.find({str(tree)!r}).version)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("6.12.3\n", "")


def test_a_folder_and_a_tarball_give_the_files_that_a_build_needs(tree, tmp_path):
    with tarfile.open(tmp_path / "linux.tar.xz", "w:xz") as archive:
        archive.add(tree, "linux-6.12.3")
    for name in (tree, tmp_path / "linux.tar.xz"):
        to = tmp_path / f"of-{name.name}"
        source = kernel_source.find(str(name))
        assert source.version == "6.12.3"
        kernel_source.copy(source, to)
        copied = sorted(path.relative_to(to).as_posix() for path in to.rglob("*") if path.is_file())
        assert copied == ["Makefile", "arch/arm/Kconfig", "arch/um/um.c", "net/ipv4/tcp.c"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["net/ipv4/tcp.c", "net/ipv4"])
def test_what_cannot_be_read_is_named(tree, name):
    (tree / name).chmod(0)
    code = f"from tcpsweep.features.linux import kernel_source; kernel_source.find({str(tree)!r})"
    # Root may read it, but for this.
    command = [path_of("setpriv"), "--bounding-set=-dac_override,-dac_read_search", sys.executable, "-c", code]
    done = subprocess.run(command[2 * bool(os.geteuid()) :], capture_output=True, text=True, check=False)
    assert done.stderr.endswith(f"NoKernel: {tree / name} cannot be read: Permission denied\n")
    (tree / name).chmod(0o700)


def test_what_is_no_source_is_named(tree, tmp_path):
    (tmp_path / "half.tar.xz").write_bytes(b"\xfd7zXZ\0 and no more")
    with tarfile.open(tmp_path / "other.tar", "w") as archive:
        archive.add(tree / "net", "net")
    for named, message in (
        ("linux-source-6.999", "package linux-source-6.999 is not installed; to install it: `apt-get install linux-"),
        (str(tmp_path / "linux-6.12.4"), "did you mean 'linux-6.12.3'?"),
        ("~no-such-user/linux", "there is no kernel source '~no-such-user/linux': no home folder is known"),
        (str(tree / "net"), "expected Makefile and arch/um in it"),
        (str(tmp_path / "half.tar.xz"), "half.tar.xz cannot be unpacked"),
        (str(tmp_path / "other.tar"), "expected a folder with a Makefile in it"),
    ):
        with pytest.raises(NoKernel) as found:
            kernel_source.find(named)
        assert message in str(found.value)


def test_all_missing_programs_are_named_at_once(monkeypatch, tmp_path):
    for tool in ("make", "cp"):
        (tmp_path / tool).symlink_to(shutil.which(tool))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoKernel, match=r"`apt-get install bc bison findutils flex gcc`$"):
        kernel_build.check_tools()


@pytest.fixture
def tools(monkeypatch, tmp_path):
    """All programs that a build asks for; the ones that this test's kernel does not use may be missing here."""
    own = tmp_path / "tools"
    own.mkdir()
    for tool in ("flex", "bison", "bc"):
        (own / tool).write_text("#!/bin/sh\nexit 1\n")
        (own / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{own}:{os.environ['PATH']}")


def test_a_kernel_that_does_not_compile_or_run_leaves_its_log_and_nothing_else(tree, tools):
    (tree / "Makefile").write_text(VERSION + MAKEFILE.replace("return 0;", "return nothing;"))
    with pytest.raises(NoKernel) as found:
        kernel_build.make(kernel_source.find(str(tree)))
    assert "nothing" in str(found.value)
    log = Path(str(found.value).partition("the whole log is ")[2].partition("\n")[0])
    assert "return nothing" in log.read_text()
    assert kernel_build.all_built() == []
    assert [path.name for path in log.parent.iterdir() if path.is_dir()] == []
    (tree / "Makefile").write_text(VERSION + MAKEFILE)
    with pytest.raises(NoKernel, match="the kernel in virtual time ended early"):
        kernel_build.make(kernel_source.find(str(tree)))
    assert kernel_build.all_built() == []


@pytest.fixture
def built(tmp_path):
    """Three kernels that look built, the newest last."""
    for release in ("6.1.3-a", "6.12.3-b", "6.12.4-c"):
        folder = tmp_path / "cache" / f"linux-{release}"
        folder.mkdir(parents=True)
        (folder / "linux").write_text("kernel")
        record = kernel_build.Built(release.partition("-")[0], release, "", 1.0, 6, [], {})
        (folder / "kernel.json").write_text(json.dumps(dataclasses.asdict(record)))
        compiled_programs.write_record(folder, "", [], 1.0)
    return kernel_build.all_built()


@pytest.mark.parametrize("file", ["linux", "kernel.json"])
def test_a_kernel_with_a_turned_bit_is_named_and_not_used(built, file, capsys):
    damaged = built[-1]
    turn_a_bit(damaged.folder / file)
    assert kernel_build.all_built() == list(built[:-1])
    told = f"{damaged.folder / file} is not as it was compiled: `tcpsweep kernel build` builds this kernel again"
    with pytest.raises(NoKernel, match=rf"^there is no kernel 6\.12\.4-c; {told}"):
        kernel.folder_of("6.12.4-c")
    kernel.built.cache_clear()
    assert len(kernel.built()) == len(built) - 1
    kernel.built.cache_clear()
    assert told in capsys.readouterr().err
    kernel_command.show_all()
    assert told in capsys.readouterr().out


def names():
    return {found.built.release: found.names for found in kernel_build.all_built()}


def test_a_kernel_has_the_names_that_a_user_gave_it_last(built):
    old, base, _ = built
    kernel_build.give_name(old, "bbr3")
    kernel_build.give_name(base, "bbr3")
    kernel_build.give_name(base, "base")
    assert names() == {"6.1.3-a": (), "6.12.3-b": ("base", "bbr3"), "6.12.4-c": ()}
    shutil.rmtree(base.folder)
    assert names() == {"6.1.3-a": (), "6.12.4-c": ()}
    for wrong in ("newest", "linux-6.12", "BBR 3", "../bbr3", ""):
        with pytest.raises(NoKernel, match=r"a kernel cannot be named"):
            kernel_build.give_name(old, wrong)


def test_a_kernel_is_needed_while_a_sweep_is_planned_with_it(built, tmp_path):
    old, base, _ = built
    assert BUILD.unneeded() == {"Linux kernels": [old.folder, base.folder]}
    (tmp_path / "sweep").mkdir()
    commands = tmp_path / "sweep" / build_users.COMMANDS
    commands.write_text('["dumbbell --kernel=6.1.3-a --RngSeed=1"]')
    build_users.note(old.folder, tmp_path / "sweep")
    assert BUILD.unneeded() == {"Linux kernels": [base.folder]}
    commands.write_text('["dumbbell --kernel=6.12.4-c --RngSeed=1"]')
    assert BUILD.unneeded() == {"Linux kernels": [old.folder, base.folder]}


def test_a_sweep_of_linux_needs_what_builds_a_kernel(monkeypatch, tmp_path):
    sweep = tmp_path / "sweep.yaml"
    monkeypatch.setattr(kernel, "built", functools.cache(lambda: ()))
    monkeypatch.setattr(kernel_source, "installed", lambda: ["linux-source-6.999"])
    monkeypatch.setenv("PATH", str(tmp_path))
    for text in messages("of_linux"):
        sweep.write_text(f"sweep: s\nscenario: dumbbell\n{text}\n")
        with pytest.raises(NoKernel, match="building a kernel needs programs that are missing"):
            kernel_command.build_if_asked(sweep)
    for text in ("fixed: {preset: linux}", "title: stack: linux"):  # the second is not YAML, which planning reports
        sweep.write_text(f"sweep: s\nscenario: dumbbell\n{text}\n")
        kernel_command.build_if_asked(sweep)

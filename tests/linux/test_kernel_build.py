# SPDX-License-Identifier: MIT
"""`tcpsweep kernel`: sources and what is wrong with them, missing programs, and kernels that do not build or run."""

import os
import shutil
import tarfile
from pathlib import Path

import pytest

from tcpsweep.linux import kernel_build, kernel_source
from tcpsweep.linux.kernel_source import NoKernel

VERSION = "VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 3\nEXTRAVERSION =\n"
# A makefile with the targets that a build asks for. Its kernel is a program that ends at once.
MAKEFILE = """
allnoconfig:
\ttest -f $(KCONFIG_ALLCONFIG)
linux:
\tmkdir -p $(O)/include/config
\techo 6.12.3$(LOCALVERSION) > $(O)/include/config/kernel.release
\techo 'int main(void) { return 0; }' > $(O)/linux.c
\t$(CC) -o $(O)/linux $(O)/linux.c
"""


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "cache"))


@pytest.fixture
def tree(tmp_path):
    """A folder that looks like a kernel's source."""
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
    assert kernel_source.find(str(tree)).id == before.id
    (tree / "net/ipv4/tcp.c").write_text("another constant")
    assert kernel_source.find(str(tree)).id != before.id


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


def test_what_is_no_source_is_named(tree, tmp_path):
    (tmp_path / "half.tar.xz").write_bytes(b"\xfd7zXZ\0 and no more")
    with tarfile.open(tmp_path / "other.tar", "w") as archive:
        archive.add(tree / "net", "net")
    for named, message in (
        (
            "linux-source-6.999",
            "the package linux-source-6.999 is not installed; to install it: `apt-get install linux-",
        ),
        (str(tmp_path / "linux-6.12.4"), "did you mean 'linux-6.12.3'?"),
        (str(tree / "net"), "expected Makefile and arch/um in it"),
        (str(tmp_path / "half.tar.xz"), "half.tar.xz is not a whole tarball"),
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


def test_a_kernel_that_does_not_compile_leaves_its_log_and_nothing_else(tree, tools):
    (tree / "Makefile").write_text(VERSION + MAKEFILE.replace("return 0;", "return nothing;"))
    with pytest.raises(NoKernel) as found:
        kernel_build.make(kernel_source.find(str(tree)))
    assert "nothing" in str(found.value)
    log = Path(str(found.value).partition("the whole log is ")[2].partition("\n")[0])
    assert "return nothing" in log.read_text()
    assert kernel_build.all_built() == []
    assert [path.name for path in log.parent.iterdir() if path.is_dir()] == []


def test_a_kernel_that_runs_nothing_is_not_kept(tree, tools):
    with pytest.raises(NoKernel, match="the kernel in virtual time ended early"):
        kernel_build.make(kernel_source.find(str(tree)))
    assert kernel_build.all_built() == []

# SPDX-License-Identifier: MIT
"""The set-up: its messages when something is missing, its repairs, and the content of the locks and the tree.

A set-up that succeeds is a real one, with venv and pip. Its locks name two empty wheels made here, and a wheel of the
installed setuptools. So it needs no network.
"""

import ast
import base64
import fcntl
import hashlib
import importlib.metadata
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from packaging.requirements import Requirement

from tests.support.tools import PATIENCE_S, ROOT

ENVS = ROOT / "envs"
LOCKS = sorted(ENVS.glob("*.txt"))
CORE = ("command_line/__init__", "command_line/for_people", "command_line/main")
CORE += (
    "contact/__init__",
    "contact/command",
    "contact/build",
    "contact/features",
    "contact/ingredient",
    "contact/question",
    "command_line/terminal/__init__",
    "command_line/terminal/say",
    "words/__init__",
)
CORE += ("words/control_characters", "words/spelling", "words/user_error")
REGISTRY = ("registry/__init__", "registry/commands", "registry/connect")
PACKAGE = (
    "pyproject.toml",
    "LICENSE",
    *(f"tcpsweep/{name}.py" for name in ("__init__", "__main__", "pipeline", *REGISTRY)),
)
PACKAGE += ("tcpsweep/core/__init__.py", *(f"tcpsweep/core/{name}.py" for name in CORE))
FEATURES = sorted((ROOT / "tcpsweep" / "features").glob("*/commands.py"))
PACKAGE += ("tcpsweep/features/__init__.py", *(str(path.relative_to(ROOT)) for path in FEATURES))
PACKAGE += tuple(str(path.with_name("__init__.py").relative_to(ROOT)) for path in FEATURES)
PACKAGE += ("snakemake_logger_plugin_tcpsweep/__init__.py",)
# All that envs/setup.sh calls, but for an interpreter and a compiler.
TOOLS = ["cat", "cut", "df", "dirname", "flock", "getconf", "grep", "mkdir", "mktemp"]
TOOLS += ["mv", "rm", "sed", "sh", "sha256sum", "tail", "uname"]


def executable(path, text):
    """Write a shell script that can be run."""
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def interpreter(path, prelude):
    """Write an interpreter that runs some Python before the code that it is given."""
    return executable(path, f'exec {shlex.quote(sys.executable)} -c "import sys; {prelude}; exec(sys.argv[-1])" "$@"\n')


def set_up(tree, *sweep, **environment):
    """Run the set-up of a tree to its end."""
    command = ["sh", tree / "envs/setup.sh", *sweep]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)


def assert_explained(run, *texts):
    assert run.returncode == 1, run.stdout + run.stderr
    for text in texts:
        assert text in run.stderr
    assert "Traceback" not in run.stderr
    assert all(line.startswith(("setup: ", "    ")) for line in run.stderr.splitlines()), run.stderr


@pytest.fixture
def bare(tmp_path):
    """A tree, and a folder for PATH in which there is neither Python nor compiler."""
    shutil.copytree(ENVS, tmp_path / "tree/envs")
    shutil.copy(ROOT / "pyproject.toml", tmp_path / "tree")
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path / "tree", tmp_path / "bin"


def test_all_missing_packages_are_reported_at_once_with_one_command(bare):
    tree, path = bare
    run = set_up(tree, PATH=str(path))
    assert_explained(run, "found: none", "no C++20 compiler", "apt-get install python3 python3-venv g++\n")
    assert not (tree / ".venv").exists()


def test_a_sweep_file_that_is_not_there_is_said_before_anything_is_made(bare):
    tree, path = bare
    interpreter(path / "python3", "pass")
    executable(path / "g++", "exit 0\n")
    for part in (
        "__init__.py",
        "core/__init__.py",
        "core/sweepfile/__init__.py",
        "core/sweepfile/document/__init__.py",
        "core/sweepfile/document/file_names.py",
    ):
        (tree / "tcpsweep" / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "tcpsweep" / part, tree / "tcpsweep" / part)
    (tree / "lossy-link.yaml").write_text("sweep: lossy-link\n")
    asked = tree / "lossylink.yaml"
    told = f"{asked}: no such file; did you mean {tree / 'lossy-link.yaml'}?\n"
    assert_explained(set_up(tree, "--sweeps", asked, PATH=str(path)), told)
    assert not (tree / ".venv").exists()


def test_too_little_disk_is_said_before_anything_is_made(bare):
    tree, path = bare
    interpreter(path / "python3", "pass")
    executable(path / "g++", "exit 0\n")
    (path / "df").unlink()
    lines = "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 9000000 8500000 500000 95% /"
    executable(path / "df", f"echo '{lines}'\n")
    assert_explained(set_up(tree, PATH=str(path)), "has 500 MB of disk space left, but .venv takes 1500 MB")
    assert not (tree / ".venv").exists()


def test_all_packages_that_read_sweep_files_are_locked():
    ran = (ENVS / "setup.sh").read_text()
    reads, extract = (next(line for line in ran.splitlines() if line.startswith(at)) for at in ("READS=", "of_lock()"))
    command = f'{reads}\nenvs={shlex.quote(str(ENVS))}\n{extract}\nof_lock "$READS"'
    taken = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    named = reads.partition("'")[2].rstrip("'").split("|")
    lock = (ENVS / "requirements.txt").read_text()
    assert re.findall(r"^([a-z-]+)==", taken, re.MULTILINE) == named
    for name in named:
        block = re.search(rf"^{name}==.*?(?=^[A-Za-z0-9])", lock, re.MULTILINE | re.DOTALL)[0]
        for line in block.splitlines():
            assert line.lstrip().startswith("#") or line in taken


def wanted_with(*names):
    """Installed packages by the names that locks have, with all that they want here."""
    found, waiting = set(), list(names)
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop().lower())
        if name in found:
            continue
        found.add(name)
        for text in importlib.metadata.requires(name) or ():
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
                waiting.append(wanted.name)
    return found


@pytest.mark.long  # it reads what the packages for lint and a browser need
@pytest.mark.parametrize("purpose", ["sweeps", "tests"])
def test_sweeps_and_make_test_get_their_packages_and_no_others(purpose):
    asked = (ENVS / "requirements.in").read_text().partition(f"# --- not for {purpose}")
    assert all(asked)
    named, rest = (
        [Requirement(line.partition("#")[0]).name for line in part.splitlines() if line.partition("#")[0].strip()]
        for part in (asked[0], asked[2].partition("\n")[2])
    )
    command = [sys.executable, "-I", ENVS / "part_of_lock.py", purpose]
    command += [ENVS / "requirements.in", ENVS / "requirements.txt"]
    part = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    taken = set(re.findall(r"^([a-z0-9][a-z0-9.-]*)==", part, re.MULTILINE))
    wanted = wanted_with(*named)
    assert wanted <= taken
    assert not (wanted_with(*rest) - wanted) & taken
    assert all(line in (ENVS / "requirements.txt").read_text().splitlines() for line in part.splitlines())
    assert part.count("--hash=sha256:") > len(taken)


CXX17 = f'PATH={shlex.quote(os.environ["PATH"])} exec {shutil.which("g++")} "$@" -std=c++17\n'
WITHOUT_ENSUREPIP = "sys.modules['ensurepip'] = None; sys.version_info = (3, 11, 2)"


@pytest.mark.parametrize(
    ("prelude", "compiler", "environment", "texts"),
    [
        ("pass", None, {}, ["no C++20 compiler", "g++ c++ clang++", "apt-get install g++\n"]),
        ("pass", CXX17, {}, ["no C++20 compiler"]),
        ("pass", "exit 0\n", {"CXX": "my-c++"}, ["fails with my-c++."]),
        ("pass", "exit 0\n", {"PYTHON": "my-python"}, ["no suitable Python", "found: none"]),
        (WITHOUT_ENSUREPIP, "exit 0\n", {}, ["Python 3.11 lacks", "apt-get install python3.11-venv\n"]),
    ],
)
def test_an_interpreter_or_a_compiler_that_does_not_serve_is_named(bare, prelude, compiler, environment, texts):
    tree, path = bare
    interpreter(path / "python3", prelude)
    if compiler:
        executable(path / "g++", compiler)
    assert_explained(set_up(tree, PATH=str(path), **environment), *texts)


def test_pythons_that_do_not_fit_are_named_with_their_versions(bare):
    tree, path = bare
    executable(path / "g++", "exit 0\n")
    interpreter(path / "python3", "sys.version_info = (3, 9, 2)")
    interpreter(path / "python3.13", "sys.implementation.name = 'pypy'; sys.version_info = (3, 13, 0)")
    run = set_up(tree, PATH=str(path))
    assert_explained(run, "python3.13 is 3.13, python3 is 3.9", "apt-get install python3 python3-venv\n")


def pretend(path, system, libc):
    """Replace the tools in a folder so that they report another machine."""
    for tool, text in [("uname", system), ("getconf", libc)]:
        (path / tool).unlink()
        executable(path / tool, f"echo {text}\n" if text else "exit 1\n")


@pytest.mark.parametrize(
    ("system", "libc"),
    [("Darwin arm64", ""), ("Linux riscv64", "glibc 2.36"), ("Linux aarch64", ""), ("Linux x86_64", "glibc 2.17")],
)
def test_a_platform_without_wheels_is_refused(bare, system, libc):
    tree, path = bare
    pretend(path, system, libc)
    assert_explained(set_up(tree, PATH=str(path)), system, libc, "have no wheels", "Linux on x86_64", "a container")


def test_where_only_ns3_has_no_wheel_debians_package_is_asked_for_with_the_rest(bare):
    tree, path = bare
    pretend(path, "Linux aarch64", "glibc 2.36")
    run = set_up(tree, PATH=str(path), DEBIAN_PREFIX=str(tree))
    assert_explained(run, "no ns-3 wheel for Linux aarch64", "apt-get install python3 python3-venv g++ libns3-dev\n")


def wheel(folder, name, version):
    """Make an empty wheel and return the line that locks it."""
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"version = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    return packed(folder, name, version, {path: text.encode() for path, text in files.items()})


def installed_wheel(folder, name):
    """Make a wheel of a package that is installed here, and return the line that locks it."""
    found = importlib.metadata.distribution(name)
    files = {str(path): path.locate().read_bytes() for path in found.files if ".." not in path.parts}
    kept = {path: data for path, data in files.items() if not path.endswith((".pyc", "/RECORD", "/INSTALLER"))}
    return packed(folder, name, found.version, kept)


def packed(folder, name, version, files):
    """Make a wheel of files and return the line that locks it."""
    record = ""
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(data)}\n"
    listed = f"{name}-{version}.dist-info/RECORD"
    files[listed] = f"{record}{listed},,\n".encode()
    made = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(made, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(made.read_bytes()).hexdigest()}\n"


@pytest.fixture(scope="module")
def offline(tmp_path_factory):
    """A tree, with a blank in its name, whose locks name empty wheels, and the environment that finds these."""
    tree = tmp_path_factory.mktemp("set-up") / "a tree"
    wheels = tree.parent / "wheels"
    wheels.mkdir()
    shutil.copytree(ENVS, tree / "envs")
    for part in PACKAGE:
        (tree / part).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / part, tree / part)
    (tree / "envs/build.txt").write_text(installed_wheel(wheels, "setuptools"))
    later = f"{wheel(wheels, 'tiny_test', '1.0')}    # via pytest\n"
    (tree / "envs/requirements.txt").write_text(f"{wheel(wheels, 'tiny', '1.0')}{later}")
    (tree / "envs/ns3.txt").write_text(wheel(wheels, "tiny_ns", "3.0"))
    (tree / "envs/slurm.txt").write_text(wheel(wheels, "tiny_slurm", "1.0"))
    (tree.parent / "bin").mkdir()
    executable(tree.parent / "bin/sbatch", "")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    kept["PATH"] = f"{tree.parent / 'bin'}:{kept['PATH']}"
    return tree, {**kept, "PYTHON": sys.executable, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels.as_uri()}


def start(tree, environment, *options):
    command = ["sh", tree / "envs/setup.sh", *options]
    return subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


@pytest.fixture(scope="module")
def mended(offline):
    """The outputs of three set-ups after one that was killed half-way, and .venv's content before the last.

    The first two, for sweeps, began while the lock was held.
    """
    tree, environment = offline
    killed = start(tree, environment)
    while not (tree / ".venv/bin/python").exists():
        assert killed.poll() is None
        time.sleep(0.01)
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert not (tree / ".venv/.complete").exists()
    with (tree / ".venv.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        runs = [start(tree, environment, "--sweeps") for _ in range(2)]
        waiting = [run.stdout.readline() for run in runs]
    outputs = [line + run.communicate(timeout=PATIENCE_S)[0] for line, run in zip(waiting, runs, strict=True)]
    assert [run.returncode for run in runs] == [0, 0], outputs
    had = {path.name for path in tree.glob(".venv/lib/*/site-packages/tiny*.py")}
    (tree / ".venv/.slurm").unlink()  # as if SLURM had come later
    rest = set_up(tree, **environment)
    assert not rest.returncode, rest.stderr
    return [*outputs, rest.stdout], had


def installed(tree, expression):
    """What an expression says in the .venv of a tree."""
    command = [tree / ".venv/bin/python", "-c", f"import tiny, tiny_ns; print({expression})"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.long
def test_a_setup_that_was_cut_off_is_mended(offline, mended):
    assert installed(offline[0], "tiny.version, tiny_ns.version") == "1.0 3.0"


@pytest.mark.long
def test_the_command_is_installed_and_its_code_is_that_of_the_tree(offline, mended):
    tree, _ = offline
    command = [tree / ".venv/bin/tcpsweep", "--help"]
    told = subprocess.run(command, cwd=tree.parent, check=True, capture_output=True, text=True).stdout
    assert "tcpsweep COMMAND" in told
    code = (tree / "tcpsweep/core/command_line/main.py").read_text()
    (tree / "tcpsweep/core/command_line/main.py").write_text(code.replace("tcpsweep COMMAND", "tcpsweep EDITED"))
    told = subprocess.run(command, cwd=tree.parent, check=True, capture_output=True, text=True).stdout
    assert "tcpsweep EDITED" in told


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "renews"),
    [
        ("__main__:run", "__main__:other", True),
        ("line-length = 120", "line-length = 100", False),
    ],
)
def test_how_it_is_installed_renews_and_the_settings_of_tools_do_not(offline, mended, bare, old, new, renews):
    tree, environment = offline
    settings = tree / "pyproject.toml"
    before = settings.read_text()
    assert old in before
    try:
        settings.write_text(before.replace(old, new))
        run = set_up(tree, **environment | {"PATH": str(bare[1])})  # without a compiler, it says what it would do
    finally:
        settings.write_text(before)
    assert ("no C++20 compiler" in run.stderr) == renews
    assert run.returncode == renews


@pytest.mark.long
def test_of_two_setups_at_once_one_works_and_the_other_waits_for_it(mended):
    outputs = mended[0][:2]
    assert sorted("1/4" in output for output in outputs) == [False, True]
    assert ["waiting for another" in output for output in outputs] == [True, True]


@pytest.mark.long
def test_the_tests_packages_are_added_to_the_sweeps_packages(offline, mended):
    outputs, had = mended
    assert had == {"tiny.py", "tiny_ns.py", "tiny_slurm.py"}
    assert "1/4" not in outputs[2]
    assert "envs/slurm.txt" in outputs[2]
    assert installed(offline[0], "__import__('tiny_test').version") == "1.0"
    assert (offline[0] / ".venv/.complete").read_text() == (offline[0] / ".venv/.sweeps").read_text()


@pytest.mark.long
def test_a_whole_venv_says_nothing(offline, mended):
    tree, environment = offline
    chosen_before = {name: value for name, value in environment.items() if name != "PYTHON"}
    for options in ([], ["--tests"], ["--sweeps"]):
        run = set_up(tree, *options, **chosen_before)
        assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.long
def test_a_venv_in_a_folder_that_moved_is_not_taken_for_whole(offline, mended, bare):
    tree, _ = offline
    moved, path = bare
    shutil.rmtree(moved)
    shutil.copytree(tree, moved, symlinks=True)
    assert_explained(set_up(moved, PATH=str(path)), "no C++20 compiler")


@pytest.mark.long
def test_a_changed_lock_renews_and_a_pip_that_fails_is_explained(offline, mended):
    tree, environment = offline
    (tree / "envs/requirements.txt").write_text(wheel(tree.parent / "wheels", "tiny", "2.0"))
    (tree.parent / "wheels/tiny-2.0-py3-none-any.whl").unlink()
    # From the very .venv that is renewed, as when it is active.
    run = set_up(tree, **{**environment, "PYTHON": str(tree / ".venv/bin/python")})
    assert "1/4" in run.stdout
    assert_explained(run, "pip failed", "No matching distribution found for tiny==2.0", "run make again")
    assert not (tree / ".venv/.complete").exists()


def locked(lock):
    """The requirements of a lock, each with its hashes."""
    text = re.sub(r"^\s*#.*\n", "", lock.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    for line in text.splitlines():
        requirement, *hashes = re.split(r"\s+--hash=", line)
        yield Requirement(requirement), [digest.strip() for digest in hashes]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_host_and_no_option(lock):
    text = lock.read_text()
    assert "://" not in text
    assert not re.search(r"\b[a-z0-9-]+\.(org|com|net|io|dev)\b", text)
    assert not re.search(r"^\s*-(?!-hash=sha256:)", text, re.MULTILINE)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_requirement_is_pinned_and_hashed(lock):
    requirements = list(locked(lock))
    assert requirements
    for requirement, hashes in requirements:
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), requirement


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_a_lock_holds_each_wanted_package_once_for_every_python(lock, python):
    where = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
    where |= {"platform_machine": "x86_64", "implementation_name": "cpython"}
    requirements = [requirement for requirement, _ in locked(lock)]
    names = [each.name for each in requirements if each.marker is None or each.marker.evaluate(where)]
    assert len(names) == len(set(names))
    lines = [line.partition("#")[0].strip() for line in lock.with_suffix(".in").read_text().splitlines()]
    assert {Requirement(line).name.lower() for line in lines if line} <= set(names)


def test_the_tree_names_no_folder_of_the_machine_it_was_written_on():
    # safe.directory: a clone may belong to somebody else than who tests it.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    machine = re.compile(rb"(?<![\w.~}$-])/(work|root|home|Users)/[\w.]")
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    named = {path: machine.search(path.read_bytes()) for path in files if path.is_file()}
    assert len(named) > len(LOCKS)
    assert not [f"{path.relative_to(ROOT)}: {found[0].decode()}" for path, found in named.items() if found]


def lint(folder, *directives):
    """Lint a Snakefile of one rule with some directives."""
    rule = "".join(f"    {directive}\n" for directive in directives)
    (folder / "Snakefile").write_text(f"rule one:\n    output: 'made'\n{rule}    shell: 'touch {{output}}'\n")
    return subprocess.run([sys.executable, ENVS / "lint_rules.py"], cwd=folder, capture_output=True, text=True)


@pytest.mark.long
def test_lint_drops_the_demand_for_conda_and_nothing_else(tmp_path):
    run = lint(tmp_path, "log: 'log'")
    assert (run.returncode, run.stdout) == (0, "snakemake --lint: nothing but its demand for conda\n")
    run = lint(tmp_path)
    assert run.returncode == 1
    assert re.fullmatch(r"rule one \(.*\): No log directive defined\n", run.stdout)
    run = lint(tmp_path, "nonsense: 1")
    assert run.returncode == 1
    assert run.stdout.startswith("snakemake --lint failed:")


def test_make_without_a_target_lists_its_commands():
    told = subprocess.run(["make"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    described = re.findall(r"^([a-z][a-z -]*):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(described) >= 8
    for targets in described:
        assert f"make {targets}" in told


@pytest.fixture(scope="module")
def only_make(tmp_path_factory):
    """A folder with the Makefile, a set-up that does nothing, and a `tcpsweep` that says its arguments."""
    folder = tmp_path_factory.mktemp("make")
    (folder / "Makefile").write_text((ROOT / "Makefile").read_text())
    (folder / "envs").mkdir()
    (folder / "envs" / "setup.sh").write_text("")
    (folder / ".venv" / "bin").mkdir(parents=True)
    command = folder / ".venv" / "bin" / "tcpsweep"
    command.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1:])\n")
    command.chmod(0o755)
    return folder


def given_by_make(folder, *arguments):
    """What `tcpsweep` is given, a list of arguments for each time that `make` calls it."""
    # The tests may run under a make of their own, whose arguments would be passed on.
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in {"ARGS", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"}
    }
    made = subprocess.run(["make", *arguments], cwd=folder, env=env, capture_output=True, text=True, check=True)
    assert not made.stderr
    return [ast.literal_eval(line) for line in made.stdout.splitlines() if line.startswith("[")]


AS_TYPED = (
    "a b.yaml",
    "`touch hit`.yaml",
    "$(touch hit).yaml",
    "$(shell touch hit).yaml",
    "$(warning hit)${HOME}$$.yaml",
    'a"b; touch hit; ".yaml',
    "it's.yaml",
    "line\nbreak.yaml",
    "a#b\\.yaml",
)


@pytest.mark.parametrize("name", ["my.yaml", *AS_TYPED])
def test_make_takes_names_as_they_are_typed_and_evaluates_nothing(only_make, name):
    assert given_by_make(only_make, "sweep", f"SWEEP={name}") == [["sweep", name]]
    assert given_by_make(only_make, "sweep", f"SWEEP=-{name}", "ARGS=-n -p") == [["sweep", f"./-{name}", "-n", "-p"]]
    assert not (only_make / "hit").exists()


def test_make_has_its_own_sweep(only_make):
    assert given_by_make(only_make, "sweep") == [["sweep", "config/config.yaml"]]
    assert given_by_make(only_make, "demo", "SWEEP=other.yaml") == [["sweep", "config/demo.yaml"]]

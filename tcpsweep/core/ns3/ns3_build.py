# SPDX-License-Identifier: MIT
"""Build ns-3 from its source for one processor: as fast as possible, with results identical to the byte.

All modules become one library, so that the compiler can optimize calls between them. Each scenario stays a separate
program, and each of our own variants stays a separate library. The library is compiled twice: training runs of the
first build count how often each part of the code runs.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TextIO

from tcpsweep.core.identity import cpp_code, hashing, source_folders
from tcpsweep.core.ns3 import ns3_source
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.store import compiled_programs, locks, state_files
from tcpsweep.core.store.compiled_programs import BuildError, build, environment, follow, made_folder, tail, written
from tcpsweep.core.words import spelling

RECORD = "native.json"
MARCH = "native"
# In the place of a processor: a build that is soon made, for the steps of a bisection. It has no training, and no
# optimisation that takes long.
PLAIN = "plain"
PLAIN_FLAGS = ("-O1", "-ffp-contract=off")
# No fused multiply-add: it rounds once where two operations round twice. It is the only optimization here that would
# change results.
FLAGS = ("-O3", "-ffp-contract=off", "-fno-semantic-interposition")
LINK_FLAGS = ("-Wl,-Bsymbolic-functions",)
LINK_TIME = ("-flto=auto", "-fno-fat-lto-objects")
# Compile code that the training does not reach as if there were no training data.
PROFILED = ("-fprofile-partial-training", "-Wno-missing-profile")
OPTIONS = {
    "CMAKE_BUILD_TYPE": "release",
    "NS3_MONOLIB": "ON",
    "NS3_PRECOMPILE_HEADERS": "ON",
    # Leave out parts that depend on other installed software, and parts that the scenarios do not use.
    **dict.fromkeys(
        [
            *("NS3_ASSERT", "NS3_LOG", "NS3_EXAMPLES", "NS3_TESTS", "NS3_PYTHON_BINDINGS", "NS3_MPI", "NS3_GSL"),
            *("NS3_GTK3", "NS3_SQLITE", "NS3_EIGEN", "NS3_CCACHE", "NS3_FAST_LINKERS", "NS3_WARNINGS"),
        ],
        "OFF",
    ),
}
_STEP_DONE = re.compile(r"\[([0-9]+)/([0-9]+)\]")
_STUB = re.compile(r'#include "(.+)"')


class UnknownProcessor(EngineError):
    """The compiler does not know a processor of this name."""


def identity(source: ns3_source.Source, march: str = MARCH) -> str:
    """A hash over the inputs that determine a native build's results: source and compiler flags, not the processor."""
    if march == PLAIN:
        return hashing.short_hash(source.id, json.dumps([PLAIN_FLAGS, OPTIONS]))
    trained = [arguments for _, arguments in training(source)]
    return hashing.short_hash(source.id, json.dumps([FLAGS, LINK_FLAGS, LINK_TIME, PROFILED, OPTIONS, trained]))


def training(source: ns3_source.Source) -> list[tuple[str, list[str]]]:
    """The training cells, as programs and arguments, of all programs whose modules are in this build.

    The arguments are in ``<program>.training`` next to the program, one cell a line.
    """
    modules = set(source.modules)
    files = sorted(source_folders.SCENARIOS.glob("*.training"))
    lines_by_program = {file.stem: file.read_text(encoding="utf-8").splitlines() for file in files}
    return [
        (program, line.split())
        for program, program_lines in lines_by_program.items()
        if modules.issuperset(cpp_code.own_modules(program, source_folders.SCENARIOS))
        for line in program_lines
        if line and not line.startswith("#")
    ]


def place(source: ns3_source.Source, march: str, below: Path | str) -> Path:
    """The folder, in ``below``, for a build of this source for this machine.

    Raises `EngineError` if GCC is missing or does not know the architecture.
    """
    return (
        Path(below)
        / f"native-ns{source.version}-{hashing.short_hash(identity(source, march), *_compiler_target(march))}"
    )


@dataclass(frozen=True)
class Built:
    """The record that `make` writes into the folder of a build."""

    version: str
    name: str  # the version in the source's spelling
    libraries_id: str
    march: str


def find(folder: Path) -> Built | None:
    """The record of the build in a folder; None if there is no build. Raises `EngineError` if the build is damaged."""
    if not os.path.exists(folder / RECORD):  # noqa: PTH110  (Path.exists raises if the name is too long)
        return None
    built = state_files.read(folder / RECORD, Built)
    if damage := compiled_programs.damage(folder) if built else f"{folder / RECORD} is damaged":
        raise EngineError(f"{damage}; remove {folder} and name the source again to build it")
    return built


def is_made(folder: Path | str) -> bool:
    """Whether a build exists, and its library and headers are as they were built."""
    return state_files.read(Path(folder) / RECORD, Built) is not None and compiled_programs.is_intact(Path(folder))


def library(name: str, folder: Path | str) -> Path:
    """The only library of a build; ``name`` is the version in the source's spelling, `Source.name`."""
    return Path(folder) / "lib" / f"libns{name}-monolib.so"


def definitions(march: str) -> list[str]:
    """CMake options for programs that link a build: its flags, and the same function addresses as in the library."""
    plain = ["-DCMAKE_BUILD_TYPE=Plain"] if march == PLAIN else []  # a release has a higher -O
    return [f"-DCMAKE_CXX_FLAGS={shlex.join(_flags(march))}", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON", *plain]


def _flags(march: str) -> list[str]:
    return list(PLAIN_FLAGS) if march == PLAIN else [*FLAGS, f"-march={march}"]


def _compiler_target(march: str) -> tuple[str, str]:
    """The compiler's version line, and the target options that ``march`` (such as ``native``) means here."""
    command = shlex.split(os.environ.get("CXX") or "c++")
    target = [] if march == PLAIN else [f"-march={march}"]
    try:
        outputs = [
            subprocess.run([*command, *options], capture_output=True, text=True, check=False, env=_environment())
            for options in (["--version"], [*target, "-Q", "--help=target"])
        ]
    except FileNotFoundError:
        raise EngineError(f"{command[0]} is not installed; to install it: `apt-get install g++`") from None
    if "Free Software Foundation" not in outputs[0].stdout:
        raise EngineError(f"{shlex.join(command)} is not GCC, which builds ns-3 from source; set CXX=g++")
    if outputs[1].returncode:
        match = re.search(r"valid arguments to .-march=. switch are: ([^;\n]*)", outputs[1].stderr)
        names = match[1].split() if match else []
        message = f"{outputs[0].stdout.splitlines()[0]} has no -march={march}"
        raise UnknownProcessor(spelling.none_of_these(message, "it has", march, names))
    return outputs[0].stdout.splitlines()[0], outputs[1].stdout


def _environment() -> dict[str, str]:
    """The environment without variables that add compiler flags, and with a fixed format for messages and progress."""
    kept = {name: value for name, value in environment().items() if not name.startswith(("NS3", "NS_"))}
    return kept | {"LC_ALL": "C", "NINJA_STATUS": "[%f/%t] "}


@written()
def make(source: ns3_source.Source, march: str, folder: Path | str) -> None:
    """Build a source, unless the build exists. Other processes that need the same build wait.

    ``march`` is the architecture, as in GCC's ``-march``. The folder, from `place`, has the complete build or does not
    exist. The log is next to it. Raises `BuildError` with the last lines of the log and its path, and `EngineError` if
    a required program is not installed.
    """
    folder = Path(folder).absolute()
    if is_made(folder):
        return
    for tool in ("cmake", "ninja"):
        if not shutil.which(tool):
            raise EngineError(f"{tool} is not installed; run `{source_folders.SET_UP}`")
    made_folder()
    folder.parent.mkdir(parents=True, exist_ok=True)
    # All plain builds are made in one folder, because ccache knows a file again by its path.
    work = folder.with_name(f".{PLAIN}" if march == PLAIN else f".{folder.name}")
    log = folder.with_name(f"{folder.name}.log")
    with locks.build(folder.with_name(f"{work.name}.lock"), "this ns-3"):
        if is_made(folder):
            return
        minutes = "3 to 10 min, less with ccache" if march == PLAIN else "10 to 20 min"
        about = f"building ns-3 {source.version} for this machine, once; {minutes} on 2 cores; log: {log}"
        print(f"tcpsweep: {about}", file=sys.stderr)
        shutil.rmtree(work, ignore_errors=True)
        try:
            with log.open("w", buffering=1, encoding="utf-8") as out, _Progress(source.version) as progress:
                _Build(source, march, work, out, progress).make()
            compiled_programs.clear(folder)
            (work / "made").rename(folder)
        except OSError as error:  # usually a full disk
            where = error.filename or work
            raise BuildError(f"ns-3 {source.version} cannot be built: {where}: {error.strerror or error}") from None
        finally:
            shutil.rmtree(work, ignore_errors=True)


class _Build:
    """A build in a scratch folder, with its output in a log."""

    def __init__(self, source: ns3_source.Source, march: str, work: Path, log: TextIO, progress: "_Progress") -> None:
        self.source, self.march, self.work, self.log, self.progress = source, march, work, log, progress
        self.began_s = time.monotonic()

    def make(self) -> None:
        """Compile, train and compile again. The finished build is in ``made`` in the scratch folder."""
        ns3_source.copy(self.source, self.work / "source")
        if self.march == PLAIN:
            self.compile([], 0.0, 0.99)
        else:
            profile = self.work / "profile"
            self.compile([f"-fprofile-generate={profile}", "-fprofile-update=single"], 0.0, 0.45)
            self.train()
            self.compile([f"-fprofile-use={profile}", *PROFILED, *LINK_TIME], 0.5, 0.99)
        self.install()

    def compile(self, flags: Sequence[str], begin: float, end: float) -> None:
        """Compile the library; ``begin`` and ``end`` are the shares of the whole work before and after this step."""
        options: Mapping[str, object] = OPTIONS | {
            "NS3_ENABLED_MODULES": ";".join(self.source.modules),
            "NS3_OUTPUT_DIRECTORY": self.work / "output",
            "CMAKE_CXX_FLAGS": shlex.join([*_flags(self.march), *flags]),
            "CMAKE_SHARED_LINKER_FLAGS": shlex.join(LINK_FLAGS),
        }
        if self.march == PLAIN:
            options = {**options, "CMAKE_CXX_FLAGS_RELEASE": ""}  # which has a higher -O
            if ccache := shutil.which("ccache"):
                options = {**options, "CMAKE_CXX_COMPILER_LAUNCHER": ccache}
        definitions = [f"-D{name}={value}" for name, value in options.items()]
        self.run(["cmake", "-S", self.work / "source", "-B", self.work / "build", "-G", "Ninja", *definitions])
        target = f"ns{self.source.name}-monolib"
        jobs = len(os.sched_getaffinity(0))
        self.run(["cmake", "--build", self.work / "build", "--target", target, "--parallel", str(jobs)], begin, end)

    def train(self) -> None:
        """Run the training cells."""
        core = library(self.source.name, self.work / "output")
        options = [f"-DNS3_CORE={core}", f"-DNS3_VERSION={self.source.version}"]
        program_by_name: dict[str, Path] = {}
        for number, (name, arguments) in enumerate(training(self.source)):
            if name not in program_by_name:
                binary = self.work / "training" / name / name
                program_by_name[name] = build(source_folders.SCENARIOS, binary, [*options, f"-DPROGRAM={name}"])
            out = self.work / f"run-{number}"
            out.mkdir()
            self.run([program_by_name[name], *arguments, f"--out={out}"])

    def install(self) -> None:
        """Copy the library and the headers. Replace ns-3's stubs of headers by the headers themselves."""
        finished, output = self.work / "made", self.work / "output"
        kept = library(self.source.name, finished)
        kept.parent.mkdir(parents=True)
        shutil.copy(library(self.source.name, output), kept)
        headers = finished / "include" / "ns3"
        headers.mkdir(parents=True)
        for header in (output / "include" / "ns3").glob("*.h"):
            stub = _STUB.fullmatch(header.read_text(encoding="utf-8").strip())
            shutil.copy(stub[1] if stub else header, headers / header.name)
        libraries_id = identity(self.source, self.march)
        record = Built(self.source.version, self.source.name, libraries_id, self.march)
        (finished / RECORD).write_text(json.dumps(vars(record)), encoding="utf-8")
        compiled_programs.write_record(finished, self.source.folder, [], time.monotonic() - self.began_s)

    def run(self, command: Sequence[Path | str], begin: float | None = None, end: float | None = None) -> None:
        """Run a command to its end, and show progress from the share ``begin`` of the whole work to ``end``."""
        self.log.write(f"$ {shlex.join(map(str, command))}\n")

        def take(line: str) -> None:
            # Name the original path, which the user knows, because the copy will be removed.
            self.log.write(line.replace(str(self.work / "source"), str(self.source.folder)))
            step = _STEP_DONE.match(line)
            if step and begin is not None and end is not None:
                self.progress.show(begin + (end - begin) * int(step[1]) / int(step[2]))

        if follow(command, _environment(), take):
            self.log.flush()
            path = self.log.name
            raise BuildError(f"ns-3 {self.source.version} cannot be built; {path} ends with\n{tail(path)}")


class _Progress:
    """Show progress: every percent on a terminal, every 10 percent elsewhere."""

    def __init__(self, version: str) -> None:
        self.version, self.shown, self.terminal = version, -1, sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.terminal and self.shown >= 0:
            print(file=sys.stderr)

    def show(self, done: float) -> None:
        """Show that this share of the work is done."""
        percent = int(100 * done)
        if percent >= self.shown + (1 if self.terminal else 10):
            begin, end = ("\r", "") if self.terminal else ("", "\n")
            print(f"{begin}tcpsweep: ns-3 {self.version}: {percent} % built", end=end, file=sys.stderr, flush=True)
            self.shown = percent

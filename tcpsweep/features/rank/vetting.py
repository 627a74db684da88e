# SPDX-License-Identifier: MIT
"""Look at a congestion control that nobody has reviewed, before it runs: compile it in a sandbox, see what it calls."""

from __future__ import annotations

import errno
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.identity.cpp_code import UnknownInclude, UnreadableCode
from tcpsweep.core.ns3 import catalogue, ns3_build, programs, variants
from tcpsweep.core.ns3.engine import Engine
from tcpsweep.core.ns3.installation import EngineError
from tcpsweep.core.store import compiled_programs, removal
from tcpsweep.features.rank import allowed_calls, confined_run, confinement

LOAD_S = 30  # of the clock; it takes a fraction of a second
TRIAL_S = 20  # CPU time
_LEAST_DISK_BYTES = 20_000_000  # more than a candidate takes to compile
_TRIAL_SIMULATED_S = 5
_TRIAL = ("--bandwidth=5Mbps", "--delay=10ms", "--loss=0.01", "--flows=2", f"--duration={_TRIAL_SIMULATED_S}s")
_MOST_LINES = 5
# The source begins with this constant, before any line of the candidate.
_MARK = f'extern "C" {{ extern const char tcpsweepMark[]; const char tcpsweepMark[] = "{confined_run.MARK}"; }}\n'
_FLAGS = re.compile(r"-(D|O|std=|f|W|m).*")
_NOT_HERE = re.compile(r"-flto.*|-f(no-)?fat-lto.*|-fprofile.*|-Wno-missing-profile|-D\w+_EXPORTS|-DTCPSWEEP_WHEEL")
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include", re.MULTILINE)  # which others would follow, even in a text
_MOST_SOURCE_BYTES = 9_000_000
_MOST_SAID = 1_000_000
_LINE_MARKER = re.compile(r"^# \d+ .*\n", re.MULTILINE)
_SPACE = re.compile(r"\s+")
# Inline assembly. Headers of the C library use it to name a symbol, which is a label.
# Literals are matched to skip them.
_ASSEMBLY = re.compile(
    r'\b\d(?:\'?[\w.])*|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r'|\b(?P<word>asm|__asm__|__asm)\b(?P<label>\s*\(\s*(?:""\s*)?"[A-Za-z_]\w*"\s*\))?',
    re.DOTALL,
)
_UNDEFINED = re.compile(r"^\S+ .{7} \*UND\*\t\S+ (?:\.\w+ )?(.+)$", re.MULTILINE)  # after its visibility, if unusual
_WRITABLE = re.compile(r"^\S+ .{6}O \.t?(?:bss|data)(?!\.rel\.ro)\S*\t(\S+) (?:\.\w+ )?(.+)$", re.MULTILINE)
_SECTION = re.compile(r"^ +\d+ (\S+) +[0-9a-f]{8} ", re.MULTILINE)
_USUAL_SECTION = re.compile(
    r"\.(text|t?data|t?bss|rodata|init_array|fini_array|eh_frame|gcc_except_table|comment|note|group|llvm_addrsig)\b.*"
)
_INSTRUCTION = re.compile(
    r"^ +[0-9a-f]+:\t(syscall|sysenter|int +\$0x80|svc|rdtscp?|rdrand|rdseed|rdpmc)\b", re.MULTILINE
)
# Variables of ns-3's macros and templates, and of the compiler.
_HARMLESS = re.compile(
    r"guard variable for .*|std::__ioinit|.*::GetTypeId\(\)::tid|.*RegistrationVariable\w*|.*\bg_log|DW\.ref\..*"
    r"|ns3::(CallbackImpl<|Time::).*"
)


@dataclass(frozen=True)
class Vetted:
    """What is known of a candidate.

    ``file`` is its source without includes, None if it is refused; ``refusal`` says why, after which ``step``.
    ``calls`` are the functions of ns-3 and C that it uses. ``shared`` are its variables that all its flows share.
    ``types`` is what the program ``inspect`` prints of it.
    """

    file: Path | None
    refusal: str = ""
    step: str = ""
    calls: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    types: str = ""


class _Refused(Exception):
    """A candidate is refused. Its arguments are the step and the reason."""


def vetted(candidate_file: Path, name: str, engine: Engine, folder: Path) -> Vetted:
    """Compile a candidate, look at its code, load and try it, each in a sandbox. ``folder`` receives ``<name>.cc``.

    The file needs no other file. Raises `EngineError` and `BuildError` if this ns-3 cannot be used.
    """
    flags = _flags(engine)
    folder.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=folder))
    calls: list[str] = []
    shared: list[str] = []
    try:
        source = _preprocessed(candidate_file, name, engine, flags, work)
        _check_assembly(source)
        _compile(flags, work)
        table = _ran(work, ["objdump", "-w", "-h", "-t", "all.o"], "symbols")
        shared = _shared(table, work)
        calls = _checked_calls(table, engine, work)
        _check_instructions(table, work)
        types = _checked_types(name, engine, flags, work)
        _check_trial(name, engine, work)
    except _Refused as refused:
        step, reason = refused.args
        return Vetted(None, reason, step, calls, shared)
    finally:
        removal.remove(work, within=folder)
    file = folder / f"{name}.cc"
    file.write_text(source, encoding="utf-8")
    return Vetted(file, calls=calls, shared=shared, types=types)


@functools.cache
def _flags(engine: Engine) -> tuple[str, ...]:
    """The compiler and the flags with which CMake compiles a variant for this ns-3."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "TcpFlags.cc")
        source.touch()
        definitions = [f"-DNS3_CORE={engine.core}", f"-DNS3_VERSION={engine.version}", f"-DPROGRAM={folder}/TcpFlags"]
        definitions += ns3_build.definitions(engine.march) if engine.march else []
        command = f"cmake -S {shlex.quote(str(source_folders.SCENARIOS))} -B {folder}/build -G Ninja"
        definitions.append("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
        environment = compiled_programs.environment()
        command_words = [*shlex.split(command), *definitions]
        ended = subprocess.run(command_words, env=environment, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise EngineError(f"CMake cannot compile for the ns-3 under {engine.prefix}:\n{ended.stderr}")
        commands = json.loads(Path(folder, "build", "compile_commands.json").read_text(encoding="utf-8"))
    words = shlex.split(commands[0]["command"])
    flags = [word for word in words if _FLAGS.fullmatch(word) and not _NOT_HERE.fullmatch(word)]
    compiler = Path(next(word for word in words if word.endswith("++")))
    if not compiler.resolve().is_relative_to("/usr"):
        raise EngineError(
            f"the compiler {compiler} is not below /usr, so the sandbox does not have it; set CXX, as in CXX=g++"
        )
    return (str(compiler.resolve()), *flags)


def _preprocessed(file: Path, name: str, engine: Engine, flags: Sequence[str], work: Path) -> str:
    """The candidate's source with the text of all files that it includes, also ``all.cc`` in ``work``.

    ``all.ii`` also says which line is of which file. Raises `_Refused`.
    """
    if not re.fullmatch(r"[A-Z]\w*", name) or file.stem != name:
        raise _Refused("preprocess", f"{file.name}: expected a file with the class's name, such as TcpMine.cc")
    if file.resolve().name != file.name:
        raise _Refused("preprocess", f"{file.name} is a link to {file.resolve().name}; expected a file of its own name")
    try:
        texts = cpp_code.cpp_sources(str(file.absolute().with_suffix("")))
    except (UnknownInclude, UnreadableCode) as error:
        raise _Refused("preprocess", str(error)) from None
    folder = next(path for path in texts if Path(path).name == file.name).removesuffix(file.name)
    own = re.compile(rf"{re.escape(folder)}[\w.-]+|lib/.+")  # next to the candidate, or the scenarios' own
    if outside := [path for path in texts if not own.fullmatch(path)]:
        raise _Refused("preprocess", f"includes {Path(outside[0]).name}, which is not in its own folder")
    for path, text in texts.items():
        copy = work / path.removeprefix(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    units = sorted(path.removeprefix(folder) for path in texts if path.endswith(".cc"))
    text = "".join(f'#include "{unit}"\n' for unit in units)
    (work / "all.cpp").write_text(_MARK + text, encoding="utf-8")
    (work / "ns-3").mkdir()  # with ns-3 alone: Debian's ns-3 is among the system's headers, whose order matters
    (work / "ns-3" / "ns3").symlink_to(engine.prefix / "include" / "ns3")
    command = [*flags, "-I", "lib", "-isystem", "ns-3", "-E", "all.cpp", "-o", "all.ii"]
    _ran(work, command, "preprocess", [engine.prefix / "include"])
    source = _LINE_MARKER.sub("", (work / "all.ii").read_text(encoding="utf-8", errors="replace"))
    if _INCLUDE.search(source):
        raise _Refused("preprocess", "contains a text with a line that looks like an #include; break that line")
    if len(source.encode()) > _MOST_SOURCE_BYTES:
        raise _Refused("preprocess", f"has more than {_MOST_SOURCE_BYTES:,} B with all that it includes")
    (work / "all.cc").write_text(source, encoding="utf-8")
    _check_preprocessed(source, name, flags, work)
    return source


def _check_preprocessed(source: str, name: str, flags: Sequence[str], work: Path) -> None:
    """Raise `_Refused` if the source still has directives or macros: elsewhere, they may make other code of it."""
    _ran(work, [*flags, f"-D{name}_EXPORTS", "-E", "all.cc", "-o", "again.ii"], "preprocess")
    again = _LINE_MARKER.sub("", (work / "again.ii").read_text(encoding="utf-8", errors="replace"))
    if _SPACE.sub("", again) != _SPACE.sub("", source):
        raise _Refused("preprocess", "a macro makes a directive, or a name such as __FILE__ is no macro any more")


def _compile(flags: Sequence[str], work: Path) -> None:
    """Compile the source as simulations use it. If that fails, raise `_Refused` with lines of the candidate's file."""
    try:
        _ran(work, [*flags, "-c", "all.cc", "-o", "all.o"], "compile")
    except _Refused as refused:
        if "error:" in refused.args[1]:
            _ran(work, [*flags, "-c", "all.ii", "-o", "all.o"], "compile")
        raise


def _ran(work: Path, command: Sequence[str], step: str, readable: Sequence[Path] = (), text: str = "") -> str:
    """The output of a command in the compiler's sandbox, which gets ``text``. Raises `_Refused`."""
    with (work / ".output").open("w+b") as output, (work / ".errors").open("w+b") as errors:
        try:
            ended = subprocess.run(
                confinement.compilation(work, command, readable),
                input=text.encode(),
                stdout=output,
                stderr=errors,
                timeout=confinement.PATIENCE * confinement.COMPILER_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _Refused(step, _too_long()) from None
    if ended.returncode and shutil.disk_usage(work).free < _LEAST_DISK_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(work))  # the compiler may not even have said so
    if ended.returncode:
        raise _Refused(step, _first_error((work / ".errors").read_bytes()[:_MOST_SAID].decode(errors="replace")))
    return (work / ".output").read_text(encoding="utf-8", errors="replace")


def _too_long() -> str:
    return f"the compiler did not end within {confinement.COMPILER_S} s of CPU time"


def _first_error(said: str) -> str:
    """The compiler's first error in the candidate's own file, else its first error; at most five lines."""
    if re.search(r"out of memory|memory exhausted|bad_alloc|annot allocate memory", said):
        return f"the compiler needs more than {confinement.MOST_COMPILER_BYTES / 1e9:.0f} GB of memory"
    if "Killed" in said or "CPU time limit" in said or not said.strip():
        return _too_long()
    lines = said.splitlines()
    is_error = [bool(re.search(r"(error|Error):", line)) for line in lines]
    of_candidate = [i for i, line in enumerate(lines) if is_error[i] and not line.startswith(("ns-3/", "/"))]
    first = next(iter(of_candidate or [i for i in range(len(lines)) if is_error[i]]), 0)
    return "\n".join(lines[first : first + _MOST_LINES])


def _check_assembly(source: str) -> None:
    for match in _ASSEMBLY.finditer(source):
        if match["word"] and not match["label"]:
            shown = source[match.start() : match.start() + 60].splitlines()[0]
            raise _Refused("instructions", f"contains inline assembly, {shown!r}: a congestion control is C++ only")


def _demangled(symbols: Sequence[str], work: Path) -> list[str]:
    return _ran(work, ["c++filt"], "symbols", text="\n".join(symbols)).splitlines()


def _checked_calls(table: str, engine: Engine, work: Path) -> list[str]:
    """The functions that the candidate calls, without the C++ library's. Raises `_Refused` for the first forbidden."""
    symbols = sorted(set(_UNDEFINED.findall(table)))
    controls = {name.removeprefix("ns3::") for name in catalogue.descendants(catalogue.types(engine), variants.OPS)}
    names = _demangled(symbols, work)
    reasons = [
        why
        for symbol, name in zip(symbols, names, strict=True)
        if (why := allowed_calls.refusal(symbol, name, controls))
    ]
    if reasons:
        raise _Refused("symbols", "\n".join(sorted(reasons, key=lambda why: ("~" in why, why))[:_MOST_LINES]))
    return sorted(
        {name.partition("(")[0] for name in names if not re.match(r"(typeinfo|vtable|operator)|.*\bstd::|_", name)}
    )


def _shared(table: str, work: Path) -> list[str]:
    variables = [symbol for size, symbol in _WRITABLE.findall(table) if int(size, 16)]
    return sorted(name for name in _demangled(variables, work) if not _HARMLESS.fullmatch(name)) if variables else []


def _check_instructions(table: str, work: Path) -> None:
    """Raise `_Refused` for machine code that a compiler does not make from standard C++."""
    sections = [name for name in _SECTION.findall(table) if not _USUAL_SECTION.fullmatch(name)]
    if sections:
        raise _Refused(
            "instructions", f"has a section {sections[0]}: a congestion control places no code or data itself"
        )
    code = _ran(work, ["objdump", "-d", "--no-show-raw-insn", "all.o"], "instructions")
    if match := _INSTRUCTION.search(code):
        raise _Refused(
            "instructions", f"contains the instruction {match[1]}: a congestion control makes no system calls"
        )


def _checked_types(name: str, engine: Engine, flags: Sequence[str], work: Path) -> str:
    """What ``inspect`` prints if it loads the candidate's library. Raises `_Refused` for another type, or a failure."""
    _ran(work, [flags[0], "-shared", "-fPIC", "all.o", "-o", f"lib{name}.so"], "compile")
    out, inspect = work / "loaded", programs.compile_program(engine, "inspect")
    out.mkdir()
    command = [str(inspect), *programs.load([work / f"lib{name}.so"])]
    status = confined_run.confined(command, out, LOAD_S, patience=1)
    said = (out / "log.txt").read_text(encoding="utf-8", errors="replace").strip()
    if confined_run.TOO_LONG in said[-80:]:
        raise _Refused("load", f"its static objects, or GetTypeId, did not end within {LOAD_S} s")
    if status:
        ending = f"ended by signal {-status}" if status < 0 else "fails"
        raise _Refused("load", "\n".join([f"loading it {ending}", *said.splitlines()[-2:]]))
    try:
        types = json.loads(said)["types"]
    except (ValueError, RecursionError):
        raise _Refused("load", f"it prints while it is loaded: {said[:60]!r}; print to nothing there") from None
    ns3_types = catalogue.types(engine)
    if changed := next((other for other in ns3_types if types.get(other) != ns3_types[other]), None):
        raise _Refused("load", f"changes ns-3's own type {changed}")
    if variants.OPS not in catalogue.line_of(types, f"ns3::{name}")[1:] or not types[f"ns3::{name}"]["constructible"]:
        raise _Refused("load", f"registers no congestion control ns3::{name} with a constructor")
    return said


def _check_trial(name: str, engine: Engine, work: Path) -> None:
    """Simulate a candidate for some seconds with losses. Raise `_Refused` if it crashes or does not end."""
    out, program = work / "trial", programs.compile_program(engine, "dumbbell")
    out.mkdir()
    load = programs.load([work / f"lib{name}.so"])
    status = confined_run.confined([str(program), *load, f"--variant={name}", *_TRIAL, f"--out={out}"], out, TRIAL_S)
    said = (out / "log.txt").read_text(encoding="utf-8", errors="replace").strip()
    if confined_run.TOO_LONG in said[-80:]:
        raise _Refused(
            "trial",
            f"a simulation of {_TRIAL_SIMULATED_S} s did not end within {TRIAL_S} s of CPU time: an endless loop?",
        )
    if status:
        ending = f"is ended by signal {-status}" if status < 0 else "fails"
        raise _Refused("trial", "\n".join([f"its simulation {ending}", *said.splitlines()[-2:]]))

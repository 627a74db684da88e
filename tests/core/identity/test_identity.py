# SPDX-License-Identifier: MIT
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.identity import cpp_code, hashing, python_code, source_folders

CASES = yaml.safe_load(Path(__file__).with_name("identity.yaml").read_text(encoding="utf-8"))
SOURCE = (
    "int a = 1; // one\nconst char* s = \"// no comment /* nor this */\"; /* two */ char c = '\"';\nint b = 1'000;\n"
)


@pytest.mark.parametrize(("old", "new", "is_code"), CASES["of texts"])
def test_only_comments_and_white_space_are_ignored(old, new, is_code):
    assert old in SOURCE
    assert (cpp_code.strip_cpp(SOURCE.replace(old, new)) != cpp_code.strip_cpp(SOURCE)) == is_code


def test_raw_strings_and_continued_comments():
    assert cpp_code.strip_cpp('R"x(// kept)" )x" // gone') == 'R"x(// kept)" )x"'
    assert cpp_code.strip_cpp("a // gone \\\n gone too\nb") == "a\nb"


@given(st.text("ab /*\"'\\\nR()", max_size=40))
def test_stripping_twice_is_stripping_once_and_never_fails(text):
    once = cpp_code.strip_cpp(text)
    assert cpp_code.strip_cpp(once) == once


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "lib" / "low").mkdir(parents=True)
    (tmp_path / "lib" / "high").mkdir()
    (tmp_path / "CMakeLists.txt").write_text('set(FLAGS -O3) # fast\nset(NAME "one # two")\n')
    (tmp_path / "one.modules").write_text("# why\nwifi\n")
    (tmp_path / "one.cc").write_text('#include "high/a.h"\n#include <ns3/core.h>\nint main() {}\n')
    (tmp_path / "lib" / "high" / "a.h").write_text('#include "ns3/core.h"\nint a();\n')
    (tmp_path / "lib" / "high" / "a.cc").write_text('#include "high/a.h"\n#include "low/b.h"\nint a() { return 1; }\n')
    (tmp_path / "lib" / "low" / "b.h").write_text("int b();\n")
    (tmp_path / "lib" / "low" / "other.h").write_text("int other();\n")
    return tmp_path


def program_id(root):
    cpp_code.cpp_id.cache_clear()
    return cpp_code.cpp_id("one", root)


@pytest.mark.parametrize(("file", "old", "new", "changes"), CASES["of files"])
def test_a_programs_identity_follows_its_includes_and_flags(sources, file, old, new, changes):
    before = program_id(sources)
    path = sources / file
    path.write_text(path.read_text().replace(old, new))
    assert (program_id(sources) != before) == changes


@pytest.mark.parametrize(("file", "changes"), [("TcpA.cc", True), ("shared.cc", True), ("TcpB.cc", False)])
def test_a_variants_identity_follows_its_includes_and_is_no_part_of_a_programs(sources, file, changes):
    folder = sources / "variants"
    folder.mkdir()
    (folder / "TcpA.cc").write_text('#include "shared.h"\nint a = 1;\n')
    for name in ("TcpB.cc", "shared.h", "shared.cc"):
        (folder / name).write_text("int b = 1;\n")
    program, variant = program_id(sources), cpp_code.cpp_id("variants/TcpA", sources)
    (folder / file).write_text((folder / file).read_text().replace("= 1", "= 2"))
    assert program_id(sources) == program
    assert (cpp_code.cpp_id("variants/TcpA", sources) != variant) == changes


def test_an_include_names_a_file_next_to_it_or_else_in_lib(sources):
    (sources / "low").mkdir()
    (sources / "low" / "b.h").write_text("int nearer();\n")
    (sources / "two.cc").write_text('  #  include "low/b.h"\n')
    assert list(cpp_code.cpp_sources("one", sources)) == ["lib/high/a.cc", "lib/high/a.h", "lib/low/b.h", "one.cc"]
    assert list(cpp_code.cpp_sources("two", sources)) == ["low/b.h", "two.cc"]


def test_a_link_includes_the_files_next_to_the_link_as_the_compiler_does(tmp_path):
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "p.h").write_text(f"int {folder};\n")
    (tmp_path / "there" / "TcpMine.cc").write_text('#include "p.h"\n')
    (tmp_path / "here" / "TcpMine.cc").symlink_to("../there/TcpMine.cc")
    (tmp_path / "linked").symlink_to("here")
    compiled = subprocess.run(["g++", "-E", "-P", tmp_path / "here" / "TcpMine.cc"], stdout=subprocess.PIPE, check=True)
    assert compiled.stdout == b"int here;\n"
    for folder in ("here", "linked"):
        found = cpp_code.cpp_sources(str(tmp_path / folder / "TcpMine"))
        assert found == {"variants/../there/TcpMine.cc": '#include "p.h"\n', "variants/p.h": "int here;\n"}


@pytest.mark.parametrize("name", ["c.h", "high/b.h", "vector"])
def test_an_include_of_no_file_is_an_error(sources, name):
    (sources / "lib" / "low" / "b.h").write_text(f'#include "{name}"\n')
    with pytest.raises(cpp_code.UnknownInclude) as raised:
        cpp_code.cpp_sources("one", sources)
    here = sources.name
    assert str(raised.value) == (
        f'{here}/lib/low/b.h includes "{name}", which is not in {here}/lib/low/ or {here}/lib/; '
        f"if it is not our file, write <{name}>"
    )


def test_a_source_that_cannot_be_read_or_is_huge_or_not_in_utf8_is_named(sources):
    (sources / "two.cc").write_bytes('#include "low/b.h"\n// Jörg\n'.encode("latin-1"))
    with pytest.raises(cpp_code.UnreadableCode, match=f"^{sources}/two.cc:2: a character is not in UTF-8; save"):
        cpp_code.cpp_sources("two", sources)
    with (sources / "two.cc").open("ab") as file:
        file.truncate(3_000_000_000)
    with pytest.raises(
        cpp_code.UnreadableCode, match=r"two\.cc: 3,000,000,000 B; expected a source of at most 10,000,0"
    ):
        cpp_code.cpp_sources("two", sources)
    (sources / "three.cc").symlink_to("/proc/self/mem")
    with pytest.raises(cpp_code.UnreadableCode, match=r" cannot be read: Input/output error$"):
        cpp_code.cpp_sources("three", sources)


FUNCTION = 'def f(a: int, *b: str) -> float:\n    """Say."""\n    return a  # why\nclass C:\n    x: int\n'
ERROR = 'raise ValueError(f"expected {a}, got {b}", a, "x")\n'


@pytest.mark.parametrize(
    ("text", "old", "new", "is_code"),
    [
        (FUNCTION, '    """Say."""\n    return a  # why', "\n    return a", False),
        (FUNCTION, "return a", "return -a", True),
        (FUNCTION, "(a: int, *b: str) -> float", "( a, *b )", False),
        (FUNCTION, "x: int", "x: float", True),
        (ERROR, ERROR, 'raise ValueError("say it otherwise", a, "y")\n', False),
        (ERROR, ", a,", ", b,", True),
        (ERROR, "ValueError", "TypeError", True),
    ],
)
def test_python_is_its_syntax_tree_without_docstrings_annotations_of_functions_and_texts_of_errors(
    text, old, new, is_code
):
    assert old in text
    assert (python_code.strip_python(text.replace(old, new)) != python_code.strip_python(text)) == is_code


def test_a_steps_identity_follows_its_modules_and_their_imports():
    assert " ".join(python_code.python_sources("core.parse.raw_files")) == (
        " core core.parse core.parse.column_files core.parse.flow_monitor core.parse.parsed core.parse.raw_files "
        "core.parse.run_record core.parse.simulator_files core.parse.transfers core.store core.store.table_files "
        "core.words core.words.table_columns core.words.user_error"
    )
    assert "core.words.metrics" in python_code.python_sources("core.report.sweep_page")
    assert python_code.python_id("core.parse.raw_files") != python_code.python_id(
        "core.parse.raw_files", files=(source_folders.ROOT / "Snakefile",)
    )


@pytest.fixture
def package(tmp_path):
    """Writes a package of these modules, with texts by ``folder/name``; returns the parts of a module of it."""

    def package(modules, of="one"):
        root = tmp_path / "pack"
        for name, text in {"__init__": "", **modules}.items():
            path = root / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        python_code._modules.cache_clear()
        python_code._read_cache.cache_clear()
        return python_code.python_sources(of, package=root)

    yield package
    python_code._read_cache.cache_clear()


FOLDER = {"a/__init__": "shared = 1\n", "a/b": "c = 1\n", "a/d": "", "e": ""}


@pytest.mark.parametrize(("line", "found"), CASES["imports"])
def test_every_way_to_import_is_followed_into_folders(package, line, found):
    assert list(package(FOLDER | {"one": line})) == sorted(["", *found, "one"])


@pytest.mark.parametrize(("line", "told"), CASES["unresolved imports"])
def test_an_import_that_cannot_be_resolved_raises(package, line, told):
    with pytest.raises(python_code.Unplaced, match=re.escape(told)):
        package(FOLDER | {"one": line})


def test_the_packages_names_for_users_are_part_of_no_step(package):
    assert package(FOLDER | {"one": "from pack import e"}) == package(
        FOLDER | {"__init__": "def open():\n    from pack.a import b\n", "one": "from pack import e"}
    )


def test_a_step_that_is_not_there_raises(package):
    with pytest.raises(python_code.Unplaced, match=r"there is no module pack\.two"):
        package({"one": ""}, of="two")


def test_cached_results_about_a_module_are_used_only_for_the_same_text(package, tmp_path, monkeypatch):
    monkeypatch.setattr(source_folders, "PACKAGE", tmp_path / "pack")
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))
    first = package({"one": "a = 1\n"})
    (kept,) = (tmp_path / "build").iterdir()
    assert package({"one": "a = 1  # why\n"}) == first
    assert package({"one": "a = 2\n"}) != first
    # A copy with the same modules shares the cache; another set of modules has its own cache.
    copy = shutil.copytree(tmp_path / "pack", tmp_path / "copy" / "pack")
    (copy / "one.py").write_text("a = 3\n")
    monkeypatch.setattr(source_folders, "PACKAGE", copy)
    assert python_code.python_sources("one", package=copy) not in (first, package({"one": "a = 2\n"}))
    assert list((tmp_path / "build").iterdir()) == [kept]
    monkeypatch.setattr(source_folders, "PACKAGE", tmp_path / "pack")
    assert package({"one": "a = 1\n"}) == first
    assert list(package({"one": "from pack import two\n", "two": "b = 1\n"})) == ["", "one", "two"]
    assert len(list((tmp_path / "build").iterdir())) == 2
    kept.write_text("{")
    assert package({"one": "a = 1\n"}) == first


@given(st.lists(st.text()), st.lists(st.text()))
def test_hashes_of_different_sequences_differ(one, other):
    assert (hashing.short_hash(*one) == hashing.short_hash(*other)) == (one == other)

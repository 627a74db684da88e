# SPDX-License-Identifier: MIT
"""Edits of the project, each with the identities that it changes: only these steps rerun."""

import contextlib
import functools
import shutil
from pathlib import Path

import pytest
import yaml

from tcpsweep.core.identity import cpp_code, python_code, source_folders, steps

PROGRAMS = ("chain", "dumbbell", "lrwpan-dumbbell", "single-link", "wifi-dumbbell", "inspect")
SCENARIOS = set(PROGRAMS) - {"inspect"}
VARIANTS = ("variants/TcpAdaptiveReno", "variants/TcpWestwood")
CASES = yaml.safe_load(Path(__file__).with_name("edits.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the code that can be edited."""
    root = tmp_path_factory.mktemp("tree")
    for folder in ("tcpsweep", "ns3-scenarios", "config"):
        shutil.copytree(source_folders.ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture(scope="module")
def identities():
    """Every identity of a copy of the code, by name."""
    strip = functools.cache(cpp_code.strip_cpp)  # most files stay the same

    def identities(root):
        for cache in (python_code.python_id, python_code._modules, cpp_code.cpp_id):
            cache.cache_clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cpp_code, "strip_cpp", strip)
            scenarios = {name: cpp_code.cpp_id(name, root / "ns3-scenarios") for name in (*PROGRAMS, *VARIANTS)}
            decoder = cpp_code.cpp_id("packets", root / "tcpsweep" / "core" / "parse" / "native")
        of_steps = {step: steps.code_id(step, root / "tcpsweep") for step in steps.MODULES}
        return of_steps | scenarios | {"decoder": decoder}

    yield identities
    for cache in (python_code.python_id, python_code._modules, cpp_code.cpp_id):
        cache.cache_clear()


@pytest.fixture(scope="module")
def before(tree, identities):
    return identities(tree)


@contextlib.contextmanager
def edited(path, new, old=None):
    """A file with a text replaced, or with one more line at its end, for a while; it may be a new file."""
    text = path.read_text(encoding="utf-8") if path.is_file() else None
    assert old is None or old in text, "the edit has nothing to replace"
    try:
        path.write_text(f"{text or ''}\n{new}\n" if old is None else text.replace(old, new), encoding="utf-8")
        yield
    finally:
        path.unlink() if text is None else path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("edit", CASES["edits"])
def test_an_edit_changes_these_identities_and_no_others(edit, tree, identities, before):
    case = CASES["edits"][edit]
    with edited(tree / case["file"], case["new"], case.get("old")):
        after = identities(tree)
    expected = {name for word in case["changed"] for name in CASES["groups"].get(word, [word])}
    assert {name for name in before if after[name] != before[name]} == expected


def test_a_header_of_the_scenarios_is_of_those_that_include_it(tree, identities, before):
    with edited(next((tree / "ns3-scenarios" / "lib").rglob("link-channel.h")), "int added;"):
        after = identities(tree)
    changed = {name for name in before if after[name] != before[name]}
    assert changed == {name for name in SCENARIOS if "link-channel" in "".join(cpp_code.cpp_sources(name))}
    assert "chain" in changed

# SPDX-License-Identifier: MIT
"""Modules of JavaScript put together as one script."""

import pytest

from tcpsweep.report import page_scripts


@pytest.fixture
def modules(tmp_path, monkeypatch):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.js").write_text(text)

    monkeypatch.setattr(page_scripts, "PAGE", tmp_path)
    return write


@pytest.mark.browser
def test_a_module_stands_once_before_all_that_import_it(modules, browser):
    modules(
        main='import { one } from "./a.js";\nimport { two } from "./b.js";\ndocument.title = `${one()} ${two}`;\n',
        a='import { two } from "./b.js";\nconst own = 1;\nexport function one() {\n  return own + two;\n}\n',
        b="const own = 2;\nexport const two = own;\n",
    )
    script = page_scripts.script("main.js")
    assert script.count("const own = 2;") == 1
    tab = browser.new_page()
    tab.set_content(f"<script>{script}</script>")
    assert tab.title() == "3 2"
    assert tab.evaluate("['own', 'one', 'two'].some((name) => name in window)") is False
    tab.close()


@pytest.mark.browser
def test_constants_stand_before_the_modules(modules, browser):
    modules(main="document.title = given.name;\n")
    script = page_scripts.script("main.js", given='{"name": "known"}')
    tab = browser.new_page()
    tab.set_content(f"<script>{script}</script>")
    assert tab.title() == "known"
    tab.close()


def test_a_module_that_is_not_there_is_an_error(modules):
    modules(main='import { one } from "./nowhere.js";\n')
    with pytest.raises(FileNotFoundError, match=r"nowhere\.js"):
        page_scripts.script("main.js")

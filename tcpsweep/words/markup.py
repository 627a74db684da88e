# SPDX-License-Identifier: MIT
"""Tables and figures in the forms that papers and notes are written in: Markdown and LaTeX."""

import re
from collections.abc import Sequence

# Signs that LaTeX takes for its own, and those of our texts that its default font encoding does not have.
_LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"}
_LATEX |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {"±": r"$\pm$", "–": "--", "−": "$-$", "×": r"$\times$", "µ": r"$\mu$", "<": "$<$", ">": "$>$"}
_UNIT = re.compile(r"(.*?)(?: (\[[^\]]*\]))?")
_SIGN = re.compile("|".join(map(re.escape, _LATEX)))


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts as Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(text.replace('|', chr(92) + '|') for text in line)} |\n" for line in lines)


def latex(heads: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> str:
    """A table of texts as a LaTeX ``tabular`` of the package booktabs.

    The first columns, as many as ``words``, hold words; the others hold numbers and are set to the right.
    """
    lines = [" & ".join(map(escaped, row)) + r" \\" for row in [heads, *rows]]
    kinds = "l" * words + "r" * (len(heads) - words)
    parts = ["% \\usepackage{booktabs}", rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*parts, *lines[1:], r"\bottomrule", r"\end{tabular}"]) + "\n"


def table(
    name: str, title: str, caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[bool]
) -> str:
    """A LaTeX ``table`` of texts, with its caption and a label, of the package booktabs.

    Units in brackets behind heads stand below them. The table is made narrower where it is wider than its column.
    Columns that hold ``words`` are set to the left; the others hold numbers and are set to the right.
    """
    kinds = "".join("l" if is_words else "r" for is_words in words)
    parts = [_UNIT.fullmatch(head) for head in heads]
    names, units = ([part[number] or "" if part else "" for part in parts] for number in (1, 2))
    heading = [names, *([units] if any(units) else [])]
    lines = [" & ".join(map(_bracketed, row)) + r" \\" for row in heading]
    body = [" & ".join(map(_bracketed, row)) + r" \\" for row in rows]
    return "\n".join(
        [
            "% \\usepackage{booktabs,graphicx}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escaped(title)}. {escaped(caption)}}}",
            rf"\label{{tab:{name}}}",
            r"\resizebox{\ifdim\width>\columnwidth\columnwidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{kinds}}}",
            r"\toprule",
            *lines,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            "}",
            r"\end{table}",
            "",
        ]
    )


def _bracketed(text: str) -> str:
    """A cell's text; braces keep LaTeX from taking a bracket for an option of the line break before it."""
    return f"{{{escaped(text)}}}" if text.startswith("[") else escaped(text)


def figure(name: str, title: str, caption: str) -> str:
    """A LaTeX ``figure`` of ``<name>.pdf`` at its own size, with its caption and a label."""
    return "\n".join(
        [
            "% \\usepackage{graphicx}",
            r"\begin{figure}",
            r"\centering",
            rf"\includegraphics{{{name}.pdf}}",
            rf"\caption{{{escaped(title)}. {escaped(caption)}}}",
            rf"\label{{fig:{name}}}",
            r"\end{figure}",
            "",
        ]
    )


def escaped(text: str) -> str:
    """A text with its signs as LaTeX wants them."""
    return _SIGN.sub(lambda match: _LATEX[match[0]], text)

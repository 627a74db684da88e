# SPDX-License-Identifier: MIT
"""Tables and figures in Markdown and LaTeX, for notes and papers."""

import re
from collections.abc import Callable, Sequence

# Characters that LaTeX interprets, and characters in our texts that its default font encoding lacks.
_LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"}
_LATEX |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_LATEX |= {"±": r"$\pm$", "–": "--", "−": "$-$", "×": r"$\times$", "µ": r"$\mu$", "<": "$<$", ">": "$>$"}
_HEAD_AND_UNIT = re.compile(r"(.*?)(?: (\[[^\]]*\]))?")
_SPECIAL_SIGN = re.compile("|".join(map(re.escape, _LATEX)))


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts as Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(text.replace('|', chr(92) + '|') for text in line)} |\n" for line in lines)


def latex(heads: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> str:
    """A table of texts as a LaTeX ``tabular`` of the package booktabs.

    The first ``words`` columns hold words; the others hold numbers and are aligned right.
    """
    are_words = [number < words for number in range(len(heads))]
    return "\n".join(["% \\usepackage{booktabs}", *_tabular_lines([heads], rows, are_words, escaped), ""])


def _tabular_lines(
    heads: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    words: Sequence[bool],
    written: Callable[[str], str],
) -> list[str]:
    """The lines of a ``tabular``; columns of words are aligned left, columns of numbers right."""
    alignments = "".join("l" if is_words else "r" for is_words in words)
    heading_lines, row_lines = ([" & ".join(map(written, row)) + r" \\" for row in part] for part in (heads, rows))
    begin, end = rf"\begin{{tabular}}{{{alignments}}}", r"\end{tabular}"
    return [begin, r"\toprule", *heading_lines, r"\midrule", *row_lines, r"\bottomrule", end]


def table(
    name: str, title: str, caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], words: Sequence[bool]
) -> str:
    """A LaTeX ``table`` of texts, with its caption and a label, of the package booktabs.

    Units in brackets after heads are moved below them. A table wider than its column is scaled down. Columns that hold
    ``words`` are aligned left; the others hold numbers and are aligned right.
    """
    matches = [_HEAD_AND_UNIT.fullmatch(head) for head in heads]
    names, units = ([part[number] or "" if part else "" for part in matches] for number in (1, 2))
    heading = [names, *([units] if any(units) else [])]
    return "\n".join(
        [
            "% \\usepackage{booktabs,graphicx}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{escaped(title)}. {escaped(caption)}}}",
            rf"\label{{tab:{name}}}",
            r"\resizebox{\ifdim\width>\columnwidth\columnwidth\else\width\fi}{!}{%",
            *_tabular_lines(heading, rows, words, _bracketed),
            "}",
            r"\end{table}",
            "",
        ]
    )


def _bracketed(text: str) -> str:
    """A table cell's text; braces keep LaTeX from reading a bracket as an option of the preceding line break."""
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
    """A text with its characters escaped for LaTeX."""
    return _SPECIAL_SIGN.sub(lambda match: _LATEX[match[0]], text)

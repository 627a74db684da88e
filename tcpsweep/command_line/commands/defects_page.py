# SPDX-License-Identifier: MIT
"""The documentation's page of ns-3's known defects, made from ``config/known-defects.yaml``."""

from collections.abc import Sequence

from tcpsweep.sweep.known_defects import Defect
from tcpsweep.sweepfile.keys import defects_file
from tcpsweep.words import corrections, markup

_ABOUT = """\
ns-3's TCP differs from Linux, and from RFCs, in ways that change results. This page lists the differences with
a source: an issue of ns-3, a line of its code, or a measurement in these pages.

Issue and merge request numbers refer to [ns-3](https://gitlab.com/nsnam/ns-3-dev). Versions are ns-3's; tcpsweep runs
3.37 and later. With `tcp: corrected`, the default, only the first part of this page matters: the second has the defects
that a [correction](corrections.md) removes. With `tcp: ns-3`, both parts matter. Flows with [Linux' TCP](linux.md) have
no such defect.

A plan names the defects that affect its sweep, except those that affect only senders' metrics, such as timeouts. The
report and the terminal put ⚠ next to affected findings, verdicts, means and figures. `verdicts.csv` has their names in
the column `known_defects`; `summary.md` lists them below its table. A number with ⚠ may differ from Linux; the entry
says by how much, if that is known.

If an entry has a sweep, its expectations hold because of the defect; a test runs it. Other entries say why there is no
sweep. ns-3's issue #125, on receivers that read late, is left out, because receivers of tcpsweep read at once.
"""

_LEFT = """\
These defects have no correction, so they change results with `tcp: corrected`, too. Each entry says with which
variants, versions and settings."""
_CORRECTED = """\
`tcp: corrected` has all corrections of this table. These defects change results only with `tcp: ns-3`, or if a sweep
file chooses its own corrections."""


def page() -> str:
    """The page as Markdown."""
    known = defects_file.known()
    parts = [
        "<!-- SPDX-License-Identifier: MIT -->",
        "# Known defects of ns-3's TCP",
        "Made by `tcpsweep defects docs/known-defects.md` from `config/known-defects.yaml`.",
        _ABOUT,
        *_part("Left", _LEFT, [each for each in known if not each.correction]),
        *_part("Corrected by default", _CORRECTED, [each for each in known if each.correction]),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _part(title: str, about: str, defects: Sequence[Defect]) -> list[str]:
    """A part of the page: a table of its defects, then a section for each."""
    heads = ["defect", "variants", "ns-3"]
    rows = [[f"[{each.name}](#{_anchor(each.name)})", *_whose(each)] for each in defects]
    if any(each.correction for each in defects):
        heads.append("correction")
        rows = [[*row, each.correction or ""] for row, each in zip(rows, defects, strict=True)]
    return [f"## {title}", about, markup.markdown(heads, rows), *(part for each in defects for part in _section(each))]


def _section(defect: Defect) -> list[str]:
    variants, versions = _whose(defect)
    lines = [
        f"- Variants: {variants}; ns-3 {versions}.",
        *([f"- Only if {_condition(defect)}."] if defect.when else []),
        f"- Affects {', '.join(f'`{name}`' if '_' in name else name for name in defect.metrics)}.",
        f"- Source: {defect.source}.",
    ]
    if defect.correction:
        about = corrections.CORRECTIONS[defect.correction]
        lines.append(f"- Correction: [`{about.name}`](corrections.md#{about.name}).")
    parts = [f"### {defect.name}", defect.effect, "\n".join(lines)]
    return [*parts, _shown(defect)]


def _shown(defect: Defect) -> str:
    if not defect.shown_by:
        return f"No sweep shows it. {defect.not_shown}"
    expected = "\n".join(f"- `{each}`" for each in defect.shown_by["expect"])
    return f"A sweep of some seconds shows it:\n\n{expected}"


def _whose(defect: Defect) -> tuple[str, str]:
    """The variants that have a defect, and the versions of ns-3, in words."""
    but = f" but {', '.join(f'`{name}`' for name in defect.but)}" if defect.but else ""
    variants = ", ".join(f"`{name}`" for name in defect.variants) or f"all{but}"
    if defect.beside:
        variants += f" next to {', '.join(f'`{name}`' for name in defect.beside)}"
    if defect.until is None:
        return variants, f"{defect.since} and later"
    return variants, f"{defect.since} to {defect.until}" if defect.since != "3.37" else f"up to {defect.until}"


def _condition(defect: Defect) -> str:
    """The conditions in words."""
    return " and ".join(
        f"`{name}` is {' or '.join(wanted)}" if isinstance(wanted, list) else f"`{name}` {wanted}"
        for name, wanted in defect.when.items()
    )


def _anchor(heading: str) -> str:
    """The anchor that code hosts give a heading."""
    kept = (each for each in heading.lower() if each.isalnum() or each in " -_")
    return "".join(kept).replace(" ", "-")

# SPDX-License-Identifier: MIT
"""The documentation's page of ns-3's known defects, made from ``config/known-defects.yaml``."""

from collections.abc import Sequence

from tcpsweep.core.words import markup
from tcpsweep.features.corrections import correction_names, defects_file
from tcpsweep.features.corrections.defect_conditions import Defect

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

In `config/known-defects.yaml`, most entries have a short sweep whose expectations hold because of the defect; a test
runs it. The others say why they have none. ns-3's issue #125, on receivers that read late, is left out, because
receivers of tcpsweep read at once.
"""

_ABOUT_LEFT = """\
These defects have no correction, so they change results with `tcp: corrected`, too. Each entry says with which
variants, versions and settings."""
_ABOUT_CORRECTED = """\
`tcp: corrected` has all corrections of this table. These defects change results only with `tcp: ns-3`, or if a sweep
file chooses its own corrections."""

_FOR_DEVELOPERS = """\
Ten defects have a patch in `docs/ns3-patches/`, and a program that shows the defect with ns-3 alone,
`tests/programs/ns3-NAME.cc`. The sources of eight above name the patch. `send-buffer` changes no results: where asserts
are compiled in, a retransmission takes time that grows with the square of the segments in the send buffer.
`disorder-growth` lets the window grow with the first ACK that has SACK, as [`rack_tlp`](corrections.md#rack_tlp) does.
A patch's message has the cause, and the program's numbers without and with the patch.

ns-3's source of July 2026, commit 140646449, still has these defects; `disorder-growth` was compared with 3.44 only. To
run a program, copy it to ns-3's folder `scratch/`, and run `./ns3 run scratch/ns3-rate-sample`. The tests run the
programs with the wheel of 3.44.
`git am PATCH` applies a patch to 3.44 and to this commit; `dctcp-loss.patch` applies only to this commit, because it
completes the change for issue #1012 (d3181b537).

- For `rate-sample`, `recovery-exit`, `application-limit` and `linux-reno`, the programs ran in builds of 3.44, without
  and with the patch. In builds of commit f2ccf2af2, whose TCP is the newest one's, the first two print the same.
- For the others, a patched copy of the source file was compiled into the program, and replaced the wheel's class.
- All patches for 3.44 but `disorder-growth`, together, pass the 137 test suites of `internet`, `applications`, `csma`,
  `point-to-point`, `traffic-control`, `flow-monitor` and the modules that these need. `rate-sample` and
  `application-limit` change the suite `tcp-rate-ops`. In this build, `ns3-send-buffer` takes 0.02 and 0.1 ms, and
  `ns3-bbr-recovery`'s windows are 67 and 69, and 71 and 71 segments, before and after the recoveries. The suites did
  not run with the newest ns-3.
"""


def page() -> str:
    """The page as Markdown."""
    defects = defects_file.defects()
    parts = [
        "<!-- SPDX-License-Identifier: MIT -->",
        "# Known defects of ns-3's TCP",
        "Made by `tcpsweep defects docs/features/known-defects.md` from `config/known-defects.yaml`.",
        _ABOUT,
        *_part("Left", _ABOUT_LEFT, [defect for defect in defects if not defect.correction]),
        *_part("Corrected by default", _ABOUT_CORRECTED, [defect for defect in defects if defect.correction]),
        "## Patches for ns-3's developers",
        _FOR_DEVELOPERS,
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _part(title: str, introduction: str, defects: Sequence[Defect]) -> list[str]:
    """A part of the page: a table of its defects, then a section for each."""
    heads = ["defect", "variants", "ns-3"]
    rows = [[f"[{defect.name}](#{_anchor(defect.name)})", *_variants_and_versions(defect)] for defect in defects]
    if any(defect.correction for defect in defects):
        heads.append("correction")
        rows = [[*row, defect.correction or ""] for row, defect in zip(rows, defects, strict=True)]
    return [
        f"## {title}",
        introduction,
        markup.markdown(heads, rows),
        *(part for defect in defects for part in _section(defect)),
    ]


def _section(defect: Defect) -> list[str]:
    variants, versions = _variants_and_versions(defect)
    lines = [
        f"- Variants: {variants}; ns-3 {versions}.",
        *([f"- Only if {_condition(defect)}."] if defect.when else []),
        f"- Affects {', '.join(f'`{name}`' if '_' in name else name for name in defect.metrics)}.",
        f"- Source: {defect.source}.",
    ]
    if defect.correction:
        correction = correction_names.CORRECTIONS[defect.correction]
        lines.append(f"- Correction: [`{correction.name}`](corrections.md#{correction.name}).")
    return [f"### {defect.name}", defect.effect, "\n".join(lines)]


def _variants_and_versions(defect: Defect) -> tuple[str, str]:
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
    kept = (character for character in heading.lower() if character.isalnum() or character in " -_")
    return "".join(kept).replace(" ", "-")

# SPDX-License-Identifier: MIT
"""The README of an archive: its contents, how to read it, how to rerun it."""

from tcpsweep.core.store import layout
from tcpsweep.core.sweep import host_programs
from tcpsweep.core.sweep.sweep_digests import Shown
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.features.archive import ro_crate
from tcpsweep.features.archive.contents import ENVIRONMENT, SCENARIOS, STUDY, Contents


def archive_readme(sweep: PlannedSweep, contents: Contents, shown: Shown, version: str, licence: str) -> str:
    """The README as Markdown, with the digests ``shown`` of cells and tables, and tcpsweep's version."""
    tables, cells = (layout.SWEEPS / sweep.name).as_posix(), layout.CELLS.as_posix()
    page = f"{layout.REPORTS.as_posix()}/{sweep.name}.html"
    report = [f"| `{page}` | the report; it opens in any browser |"] if page in contents.files else []
    variants = f", and of {', '.join(sweep.variants)}" if sweep.variants else ""
    rows = [
        *report,
        f"| `{contents.sweep_file}` | the sweep file |",
        f"| `{tables}/` | tables over all cells; `summary.csv` has the means with their intervals |",
        f"| `{cells}/` | a folder for each cell, which is one simulation: traces, queue and metrics as Parquet |",
        f"| `{ENVIRONMENT}/` | the installed versions of all software, and the locks of tcpsweep with hashes |",
        f"| `{SCENARIOS}/` | the sources of the scenario's program{variants} |",
    ]
    code = _code_of_authors(sweep, contents)
    warning = f"\nThis runs code of its authors as you, so read it first: {', '.join(code)}.\n" if code else ""
    prefix = f" from `{sweep.ns3_prefix}`" if sweep.ns3_prefix else ""
    return f"""\
# {sweep.title}

{ro_crate.simulations(sweep)} of TCP congestion control, by tcpsweep {version}, with ns-3 {sweep.ns3_version}{prefix}.
Licence of the data: {licence}

| path | what |
|---|---|
{chr(10).join(rows)}

`SHA256SUMS` in each folder has the digests of its files; these stand for all of them: cells {shown.cells}, tables
{shown.tables}.

Read it without tcpsweep: every table is CSV or Parquet, with units in the names of columns. With it:

```python
import tcpsweep
sweep = tcpsweep.open("{sweep.name}", ".")    # in the folder where this file lies
```

Run it again, with a clone of tcpsweep {version}, and see which bytes are equal:
{warning}
```sh
tcpsweep verify {sweep.name}.zip{" --run-code" if code else ""}
```
"""


def _code_of_authors(sweep: PlannedSweep, contents: Contents) -> list[str]:
    """The C++ files beside the sweep file, and the commands of programs as flows: `verify` asks before it runs them."""
    files = [name for name in contents.files if name.startswith(f"{STUDY}/") and name.endswith((".cc", ".h"))]
    commands = [command for row in sweep.combinations for _, command in host_programs.commands(row)]
    return [f"`{text}`" for text in dict.fromkeys([*files, *commands])]

# SPDX-License-Identifier: MIT
"""A plan in words, for the terminal before a sweep begins."""

import sys
from collections.abc import Collection, Iterable, Sequence

from tcpsweep.core.contact import features
from tcpsweep.core.plan.plan_record import Plan
from tcpsweep.core.store import layout
from tcpsweep.core.sweep import axes, caveats, host_programs, ns3_tcp
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweepfile.keys import schema
from tcpsweep.core.words import metrics, normal_forms, rounding, units
from tcpsweep.core.words.aligned import aligned, terminal_width

MOST_WARNINGS = 5
MOST_ROWS = 60
MOST_VALUES = 3  # of an axis, in the message of a batch
# Parameters that are shown even if they have their defaults.
_ALWAYS_SHOWN = ("bandwidth", "delay", "queue", "flows", "duration", "warmup")


def describe(plan: Plan) -> str:
    """A plan's warnings, followed by a summary of its work."""
    sweep = plan.sweep
    total = len({cell.id for cell in plan.cells})
    lines = [f"tcpsweep: warning: {warning}" for warning in plan.warnings[:MOST_WARNINGS]]
    if plan.replaces:
        instead = "this sweep's tables and report will replace that file's; rename one of the sweeps"
        lines.insert(0, f"tcpsweep: warning: {plan.replaces} also has `sweep: {sweep.name}`: {instead}")
    if plan.space_problem:
        lines.append(f"tcpsweep: warning: {plan.space_problem}")
    if len(plan.warnings) > MOST_WARNINGS:
        lines.append(f"tcpsweep: and {len(plan.warnings) - MOST_WARNINGS} more warnings, in the report")
    if tcp := ns3_tcp.in_words(sweep.combinations, plan.corrections, plan.ns3_version):
        lines.insert(0, f"tcpsweep: {tcp}")
    commands = dict.fromkeys(command for row in sweep.combinations for _, command in host_programs.commands(row))
    if commands and plan.jobs.get("simulate"):
        lines.append(f"tcpsweep: the simulations run these programs as you: {', '.join(commands)}")
    if defects := defects_in_words(plan):
        lines.append(f"tcpsweep: warning: ns-3 {plan.ns3_version} {defects} ({caveats.PAGE_OF_DEFECTS})")
    return "\n".join([*lines, *_counts(plan, total)])


def _counts(plan: Plan, total: int) -> list[str]:
    """The number of simulations, how many remain, their time, and the rules after them."""
    sweep = plan.sweep
    in_round = "" if plan.is_decided else " in this round"
    count = f"tcpsweep: {sweep.name}: {sweep.counted()}, {total} simulation{'s' * (total != 1)}{in_round}"
    if not plan.seconds:
        return [f"{count}, all finished"]
    kinds = {"parse": "only to parse again", "measure": "only to measure again"}
    kind = "" if plan.jobs.get("simulate") else " or ".join(words for key, words in kinds.items() if plan.jobs.get(key))
    programs = len(plan.compiles)
    first = f"first compile {programs} program{'s' * (programs > 1)}, " if programs else ""
    pages = ", a page for each simulation" if sweep.pages else ""
    because = f", because {' and '.join(plan.reasons)}" if plan.reasons else ""
    return [
        f"{count}, {len(plan.seconds)} left{kind and f' ({kind})'}{because}: {plan.left}",
        f"tcpsweep: {first}then tables, figures{pages} and the report",
    ]


def most_runs(plan: Plan) -> str:
    """The largest number of simulations of a sweep in rounds, as an extra line; empty for other sweeps."""
    sweep = plan.sweep
    if not sweep.asked:
        return ""
    most, more = len(sweep.runs) * len(sweep.combinations), ""
    for question in features.questions():
        if question.rounds and question.key in sweep.questions:
            most, more = question.rounds.most_cells(sweep, most)
    return f"\ntcpsweep: later rounds bring that to {most} simulations at most{more}"


def defects_in_words(plan: Plan) -> str:
    """The known defects of ns-3 that affect a sweep, with the affected variants; empty without any.

    Defects that change only metrics of senders, such as timeouts, are left out unless a question is about these:
    they are named next to these metrics.
    """
    names_by_variants: dict[str, list[str]] = {}
    all_variants = sorted({variant for row in plan.sweep.own for variant in ns3_tcp.variants(row)})
    asked_metrics = {name for question in features.questions() for name in question.metrics(plan.sweep)}
    sender_metrics = metrics.FAMILIES["senders"].keys() - asked_metrics
    defects = [defect for defect in caveats.of_defects(plan.caveats) if not caveats.metrics(defect) <= sender_metrics]
    for defect in defects:
        affected = _variants_in_short(defect.variants, all_variants)
        names_by_variants.setdefault(affected, []).append(defect.name)
    listed = "; ".join(f"{affected}: {', '.join(names)}" for affected, names in names_by_variants.items())
    fixable = sum(defect.correction is not None for defect in defects)
    remedy = ""
    if fixable:
        remedy = f"; `tcp: corrected` corrects {fixable if fixable < len(defects) else 'all'} of them"
    return (
        f"is known to be wrong here in {len(defects)} way{'s' * (len(defects) > 1)}: {listed}{remedy}"
        if defects
        else ""
    )


def _variants_in_short(affected: Sequence[str], all_variants: Sequence[str]) -> str:
    """Some of a sweep's variants, in short."""
    others = [variant for variant in all_variants if variant not in affected]
    if len(affected) <= len(others) or len(all_variants) == 1:
        return ", ".join(affected)
    return f"all variants but {', '.join(others)}" if others else "all variants"


def estimate(seconds: float, size: float, cores: int, is_shared: bool = False) -> str:
    """The remaining work in words: the time on some cores, which other programs may use too, and bytes of disk."""
    time, disk = rounding.time_text(seconds), rounding.bytes_text(size)
    shared = ", which other programs use too" * is_shared
    return f"about {time} on {cores} core{'s' * (cores > 1)}{shared}, {disk} of disk"


def outcome(plan: Plan) -> str:
    """How many of a plan's simulations were simulated, parsed or measured again, and kept; empty without a result.

    Rules that a person forces also simulate cells that were finished.
    """
    runs = plan.finished()
    finished = {run.cell for run in runs}
    verbs = {"simulate": "simulated", "parse": "only parsed again", "measure": "only measured again"}
    counts = {verb: len(finished & plan.work.get(kind, set())) for kind, verb in verbs.items()}
    folders = {run.cell: layout.measured(run.cell, plan.parser, plan.measures[run.combination]) for run in runs}
    new = {cell for cell, folder in folders.items() if layout.made_ns(folder) >= plan.begun_ns}
    counts["simulated"] += len(new.difference(*plan.work.values()))
    counts["kept"] = len(finished) - sum(counts.values())
    said = ", ".join(f"{count} {verb}" for verb, count in counts.items() if count)
    return f"tcpsweep: {plan.sweep.name}: {said}" if said else ""


# The heading above each kind's cells.
_HEADING_OF_KIND = {
    "simulate": "would run:",
    "parse": "would be parsed again (nothing is simulated):",
    "measure": "would be measured again (nothing is simulated):",
}


def cells(plan: Plan) -> str:
    """The remaining cells by the work that they need, with a line for each combination: its values and its runs.

    Empty if no cell remains.
    """
    return "\n".join(
        part for kind, head in _HEADING_OF_KIND.items() if (part := _in_words(plan, head, plan.work.get(kind, set())))
    )


def _in_words(plan: Plan, heading: str, cell_ids: Collection[str]) -> str:
    """The cells with these ids, below a heading; empty if there are none."""
    sweep = plan.sweep
    runs_by_number: dict[int, list[int]] = {}
    for cell in plan.cells:
        if cell.id in cell_ids:
            runs_by_number.setdefault(cell.combination, []).append(cell.run)
    if not runs_by_number:
        return ""
    texts = sweep.texts
    names = list(texts[0])
    heads = [[*(axes.title(name, names) for name in names), "runs"]]
    rows = [[*texts[number].values(), ranges(runs_by_number[number])] for number in sorted(runs_by_number)]
    lines = [heading, aligned(heads + rows[:MOST_ROWS], terminal_width(sys.stderr))]
    if len(rows) > MOST_ROWS:
        more = sorted(runs_by_number)[MOST_ROWS:]
        lines.append(
            f"  and {sum(len(runs_by_number[number]) for number in more)} simulations of {len(more)} more combinations"
        )
    lines.append(f"  all with {_shared_values(plan, runs_by_number)}")
    return "\n".join(lines)


def batch(plan: Plan, cell_ids: Collection[str]) -> str:
    """A batch in words: how many of the sweep's cells it has, and their values on each axis.

    A node knows only their number.
    """
    total = len({cell.id for cell in plan.cells})
    count = f"{len(cell_ids)} of {total} simulations" if total else f"{len(cell_ids)} simulations"
    wanted = set(cell_ids)
    rows = [plan.sweep.texts[number] for number in {cell.combination for cell in plan.cells if cell.id in wanted}]
    values = {name: list(dict.fromkeys(row[name] for row in rows)) for name in (rows[0] if rows else {})}
    parts = [
        ", ".join(texts) if len(texts) <= MOST_VALUES else f"{len(texts)} of {axis}" for axis, texts in values.items()
    ]
    return ": ".join([count, *(["; ".join(parts)] if parts else [])])


def _shared_values(plan: Plan, numbers: Iterable[int]) -> str:
    """The values that combinations share and that differ from their defaults, and the values always shown."""
    rows = [plan.sweep.combinations[number] for number in numbers]
    shared = {
        name: value
        for name, value in rows[0].items()
        if name not in plan.sweep.axes and name != "variant" and all(row.get(name) == value for row in rows)
    }
    descriptions = {name: schema.described(plan.sweep.scenario, name) for name in shared}
    defaults = {
        name: normal_forms.normal(description["default"], description.get("format"))
        for name, description in descriptions.items()
        if "default" in description
    }
    from_tcp = _set_by_tcp(plan, rows[0])
    shown = [
        name
        for name, value in shared.items()
        if name not in from_tcp
        and (name in _ALWAYS_SHOWN or "::" in name or (descriptions[name] and defaults.get(name) != value))
    ]
    return ", ".join(f"{name} {units.value_text(shared[name])}" for name in shown)


def _set_by_tcp(plan: Plan, row: Combination) -> set[str]:
    """The names of the values that a combination has because of its ``tcp``: its preset, and this one's attributes."""
    settings = [item for preset in plan.sweep.presets.values() for item in preset.settings.items()]
    names = {name for name, setting in settings if row.get(name) == setting.value}
    return names | (
        {"preset", "corrections"} if row["tcp"] in schema.described(plan.sweep.scenario, "tcp")["enum"] else {"tcp"}
    )


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as ranges, such as ``1 to 3, 7``."""
    spans: list[list[int]] = []
    for number in sorted(numbers):
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return ", ".join(f"{span[0]} to {span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans)

# SPDX-License-Identifier: MIT
"""From a sweep file's data to the combinations that it stands for."""

import itertools
from dataclasses import dataclass

from tcpsweep import schema, units
from tcpsweep.sweepfile import Problem


@dataclass(frozen=True)
class Sweep:
    """A sweep, written out.

    ``axes`` maps each swept parameter or attribute to its values in the file's order. A combination is a dict of
    every parameter's normal form, and of the attributes that are set, by name; each is run once per run number.
    """

    name: str
    title: str
    scenario: str
    seed: int
    runs: tuple
    capture: dict
    axes: dict
    combinations: list


def is_attribute(name):
    """Whether an axis or a value is an ns-3 attribute's, not a parameter's."""
    return name.startswith("ns3::")


def value_form(scenario, name):
    """The format in which a parameter's values are written, if it has one."""
    return None if is_attribute(name) else schema.parameters(scenario)[name].get("format")


def _normal(scenario, name, value):
    return units.normal_attribute(value) if is_attribute(name) else units.normal(value, value_form(scenario, name))


def _listed(value):
    return value if isinstance(value, list) else [value]


def _blocks(data, key):
    """The blocks under ``key`` with their paths; one empty block where there are none."""
    if key not in data:
        return [((), {})]
    content = data[key]
    return [((key, i), block) for i, block in enumerate(content)] if isinstance(content, list) else [((key,), content)]


def expand(data):
    """All combinations of a sweep file that the schema allows.

    Parameters
    ----------
    data : dict
        A `sweepfile.Document`'s data in which `schema.problems` found nothing.

    Returns
    -------
    sweep : Sweep
    problems : list of Problem
        What is wrong beyond the schema: axes that clash, lists of unequal length, conditions that no cell meets,
        values that do not go together. Where there are any, the sweep is not to be used.
    """
    scenario = data["scenario"]
    problems = []
    fixed = {name: _normal(scenario, name, value) for name, value in data.get("fixed", {}).items()}
    attribute_axes = {}
    for name, value in data.get("attributes", {}).items():
        if isinstance(value, list):
            attribute_axes[name] = [_normal(scenario, name, item) for item in value]
        else:
            fixed[name] = _normal(scenario, name, value)
    defaults = {
        name: units.normal(parameter["default"], parameter.get("format"))
        for name, parameter in schema.parameters(scenario).items()
    }

    zips = [_zip_rows(scenario, path, block, problems) for path, block in _blocks(data, "zip")]
    rows, axes = {}, {}
    for path, block in _blocks(data, "grid"):
        grid_axes = {name: [_normal(scenario, name, item) for item in values] for name, values in block.items()}
        _check_once(data, path, block, grid_axes, problems)
        for name, values in (grid_axes | attribute_axes).items():
            axes.setdefault(name, []).extend(value for value in values if value not in axes[name])
        names = list(grid_axes)
        for values in itertools.product(*grid_axes.values()):
            for zipped in itertools.product(*zips):
                for attributes in itertools.product(*attribute_axes.values()):
                    row = defaults | fixed | dict(zip(names, values, strict=True))
                    for part in zipped:
                        row |= part
                    row |= dict(zip(attribute_axes, attributes, strict=True))
                    rows.setdefault(_key(row), row)
    for part in itertools.chain(*zips):
        for name, value in part.items():
            if value not in axes.setdefault(name, []):
                axes[name].append(value)

    combinations = _meeting_conditions(scenario, data, list(rows.values()), problems)
    for row in combinations:
        problems += _clashes(scenario, data, row)
    if not combinations and not problems:
        problems.append(Problem((), "no cell is left: `exclude` and `only` leave out every combination"))
    runs = data.get("runs") or range(1, data.get("repetitions", schema.default("repetitions")) + 1)
    sweep = Sweep(
        name=data["sweep"],
        title=data.get("title", data["sweep"]),
        scenario=scenario,
        seed=data.get("seed", schema.default("seed")),
        runs=tuple(runs),
        capture={
            key: data.get("capture", {}).get(key, schema.default("capture", key))
            for key in schema.raw()["properties"]["capture"]["properties"]
        },
        axes={name: values for name, values in axes.items() if any(name in row for row in combinations)},
        combinations=combinations,
    )
    return sweep, problems


def _key(row):
    return tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in sorted(row.items()))


def _zip_rows(scenario, path, block, problems):
    lengths = {len(values) for values in block.values()}
    if len(lengths) > 1:
        counts = ", ".join(f"{name} has {len(values)}" for name, values in block.items())
        problems.append(Problem(path, f"axes that move together need equally many values; {counts}"))
    columns = [
        [_normal(scenario, name, item) for item in values] for values, name in zip(block.values(), block, strict=True)
    ]
    return [dict(zip(block, row, strict=False)) for row in zip(*columns, strict=False)] if block else [{}]


def _check_once(data, path, block, axes, problems):
    """A name has its value from one place, and an axis has each value once."""
    for name, values in axes.items():
        for i, value in enumerate(values):
            if value in values[:i]:
                problems.append(Problem((*path, name, i), f"the axis has {units.text(value)} twice"))
        homes = [("fixed", name) if not is_attribute(name) else ("attributes", name)]
        homes += [(*zip_path, name) for zip_path, zip_block in _blocks(data, "zip") if name in zip_block]
        for home in homes:
            if home[0] == "zip" or name in data.get(home[0], {}):
                problems.append(Problem(home, f"{name} is an axis of {_where(path)} already", at_key=True))


def _where(path):
    return "".join(f"[{part}]" if isinstance(part, int) else part for part in path)


def _meeting_conditions(scenario, data, rows, problems):
    """The rows that `only` and `exclude` leave, and a problem for each condition that decides nothing."""
    verdicts = {}
    for key in ("only", "exclude"):
        met = [False] * len(rows)
        for path, condition in _blocks(data, key) if key in data else []:
            wanted = {
                name: [_normal(scenario, name, item) for item in _listed(value)] for name, value in condition.items()
            }
            meets = [all(row.get(name) in values for name, values in wanted.items()) for row in rows]
            if not any(meets):
                problems.append(
                    Problem(path, f"no cell meets this condition of `{key}`; compare its values with the axes")
                )
            met = [a or b for a, b in zip(met, meets, strict=True)]
        verdicts[key] = met
    keep_all = "only" not in data
    return [
        row
        for row, wanted, unwanted in zip(rows, verdicts["only"], verdicts["exclude"], strict=True)
        if (keep_all or wanted) and not unwanted
    ]


def _clashes(scenario, data, row):
    """Values of one combination that do not go together."""

    def at(name):
        for section in ("fixed", "grid", "zip"):
            for path, block in _blocks(data, section):
                if name in block:
                    return (*path, name)
        return ()

    start, end = units.si(row["warmup"], "time"), units.si(row["duration"], "time")
    if start >= end:
        yield Problem(
            at("warmup") or at("duration"),
            f"warmup ({row['warmup']}) must be shorter than duration ({row['duration']})",
        )
    if row["segment_size"] + 52 > 1500:
        yield Problem(
            at("segment_size"),
            f"segments of {row['segment_size']} B and 52 B of headers exceed the MTU of 1500 B; at most 1448 B fit",
        )
    if row["queue_disc"].startswith("Fq") and row["queue"].endswith("B"):
        yield Problem(at("queue"), f"{row['queue_disc']} counts packets; give the queue in packets (100p) or as 1bdp")
    if "TcpDctcp" in row["variant"].split("+") and row["queue_disc"] == "none":
        yield Problem(at("variant"), "TcpDctcp needs a queue disc that marks (queue_disc), not a drop-tail queue")

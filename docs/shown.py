# SPDX-License-Identifier: MIT
"""All that README and docs show of sweeps, made from the sweeps' results: `make shown PARTS="demo gallery"`.

A value stands between marks, which do not show on the page, and a block between marks on lines of their own:

    <!--shown: demo simulations-->84<!--/-->
    <!-- shown: closing demo: variant, queue, goodput -->
    …
    <!-- /shown -->

A value is QUERY [as FORM, …]. A query begins with a sweep's name. `file` asks the sweep file and needs no results;
`check` asks `tcpsweep check` in an empty folder; the rest asks the results:

    file      SWEEP simulations | combinations | repetitions | value PARAMETER
    check     SWEEP time | disk
    mean      SWEEP METRIC [of VARIANT] [where NAME == VALUE and …]      more than one mean: the least to the greatest
    ratio     SWEEP METRIC of VARIANT over VARIANT [where …]             of two means; over all: of the sum in a mix
    harm      SWEEP METRIC of VARIANT beside VARIANT [where …]           beside itself: by flows of its own
    effect    SWEEP METRIC of VARIANT against VARIANT [where …]          the difference, run by run

A query for a mean is an expectation without its comparison (docs/features/expectations.md). Forms: `3 digits`,
`interval`, `plain` for no unit, and for an effect `bounds`, `finding` and `percent`.

Blocks are `closing SWEEP: COLUMN, …`, what the sweep prints at its end; `watch SWEEP`; `check SWEEP`; and `text`, with
{values} in the lines that follow in the mark.
"""

import argparse
import dataclasses
import functools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
from tcpsweep.core.command_line.terminal import finished_sweep  # noqa: E402
from tcpsweep.core.plan import checked_sweep  # noqa: E402
from tcpsweep.core.sweep import sweep_tables  # noqa: E402
from tcpsweep.core.sweepfile.document import yaml_document  # noqa: E402
from tcpsweep.core.sweepfile.keys.sweep_file import SweepFile  # noqa: E402
from tcpsweep.core.words import aligned, metrics, rounding  # noqa: E402
from tcpsweep.features.expectations import language  # noqa: E402
from tcpsweep.registry import connect  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), ROOT / "docs" / "diagrams" / "sweep.svg"]
TYPED_NOTHING = ("README.md", "docs/tutorial.md")  # pages whose numbers of results are all marked
COMMAND = str(Path(sys.executable).with_name("tcpsweep"))
# The parts with the sweep files that they run, and those that run only by name, with the command that runs them.
PARTS = {
    "demo": ["config/demo.yaml"],
    "quick-look": ["config/config.yaml"],
    "lossy-link": ["config/lossy-link.yaml"],
    "gallery": ["config/config.yaml", "config/lossy-link.yaml", "config/rtt-fairness.yaml"],
    "course": ["config/course/throughput-and-delay.yaml", "config/course/bufferbloat.yaml"],
    "example-sweeps": [],  # numbers of simulations, and the times and sizes that are expected
}
LATER = {
    "dossiers": "tcpsweep dossier TcpCubic --summary docs/features/dossiers, and the same for TcpBbr",
    "data-centre": "tcpsweep sweep config/incast.yaml config/websearch.yaml",
    "bbr3": "tcpsweep sweep config/bbr3.yaml",
    "studies": "tcpsweep sweep config/studies/[!l]*.yaml",
    "certificate": "tcpsweep sweep config/certificate.yaml config/certificate-judge.yaml",
    "corrections": "tcpsweep sweep config/studies/linux.yaml",
}

VALUE = re.compile(r"<!--shown: (.+?)-->(.*?)<!--/-->", re.DOTALL)
BLOCK = re.compile(r"^<!-- shown: (.+?) ?-->\n(.*?)^<!-- /shown -->$", re.DOTALL | re.MULTILINE)
COUNTS = ("simulations", "combinations", "repetitions", "value")
EXPECTED = ("time", "disk")
FORMS = ("interval", "plain", "bounds", "finding", "percent")
BLOCKS = ("closing", "watch", "check")


class Wrong(ValueError):
    """A mark that cannot be read or has no value, in words."""


# --- What the marks ask. ---


@functools.cache
def files():
    """The sweep files by their sweep's name."""
    found = [*(ROOT / "config").glob("*.yaml"), *(ROOT / "config" / "course").glob("*.yaml")]
    names = {path: re.search(r"^sweep: (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE) for path in found}
    return {name[1]: path for path, name in names.items() if name}


@functools.cache
def planned(name):
    """A sweep as its file asks for it."""
    if name not in files():
        raise Wrong(f"no sweep file in config/ has `sweep: {name}`")
    return checked_sweep.without_ns3(files()[name])


@functools.cache
def table(name, kind):
    """A table of a finished sweep."""
    folder = ROOT / "results" / "sweeps" / name
    if not (folder / "complete").is_file():
        raise Wrong(f"{name} has not run: make shown PARTS=… runs it")
    return sweep_tables.read(folder, kind)


def parsed(text):
    """A value's sweep, question, expectation (none for a count), other variant with `over` or `against`, and forms."""
    question, _, told = text.strip().partition(" as ")
    forms = [each.strip() for each in told.split(",")] if told else []
    if wrong := [each for each in forms if each not in FORMS and not re.fullmatch(r"\d digits", each)]:
        raise Wrong(f"unknown form {wrong[0]!r}")
    name, _, question = question.partition(" ")
    sweep = planned(name)
    word = question.split(" ")[0]
    if word in (*COUNTS, *EXPECTED):
        return name, question, None, None, forms
    left, where, conditions = question.partition(" where ")
    other = re.search(r" (over|against|beside) (\S+)$", left)
    left = left[: other.start()] if other else left
    asked = f"{left} >= 0{where}{conditions}"
    _, mistakes = language.asked_of_combinations(SweepFile({"expect": [asked]}), sweep)
    if mistakes:
        raise Wrong(mistakes[0].message)
    expected = language.parse(asked, sweep.scenario, language.names_in(sweep.own))
    return name, question, expected, other and other.groups(), forms


def count(name, question):
    """A number from the sweep file, or the values of one of its parameters."""
    sweep = planned(name)
    word, _, parameter = question.partition(" ")
    if word == "value":
        values = list(dict.fromkeys(row[parameter] for row in sweep.texts if parameter in row))
        values = values or list(dict.fromkeys(str(row.get(parameter, "")) for row in sweep.own))
        if not values[0]:
            raise Wrong(f"{name} has no {parameter}")
        units = {"Mbps": " Mbit/s", "kbps": " kbit/s", "ms": " ms", "s": " s", "bdp": " BDP", "%": " %", "": ""}
        split = [re.fullmatch(r"([\d.]+)([a-zA-Z%]*)", each) for each in values]
        if not all(split):
            return ", ".join(values)
        same = len({each[2] for each in split}) == 1
        words = [each[1] + ("" if same else units[each[2]]) for each in split]
        last = units[split[-1][2]] if same else ""
        return (" or ".join([", ".join(words[:-1]), words[-1]]) if words[1:] else words[0]) + last
    combinations = len(sweep.combinations)
    found = {"combinations": len(sweep.own), "repetitions": len(sweep.runs)}
    return f"{found.get(word, combinations * len(sweep.runs)):,}"


@functools.cache
def checked(name):
    """What `tcpsweep check` prints of a sweep of which nothing has run, as on an idle machine."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([COMMAND, "check", files()[name]], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Wrong(f"{name}: {done.stderr.strip()}")
    return re.sub(r" \(about [^()]* now: [^()]*\)", "", done.stdout + done.stderr).strip()


def expected(name, word):
    """The time or the disk space that `tcpsweep check` expects."""
    found = re.search(r"left: about (.+?) on \d+ cores?, ([\d.]+ [kMG]B)", checked(name))
    if not found:
        raise Wrong(f"`tcpsweep check` expects no {word} of {name}")
    size, unit = found[2].split(" ")
    return found[1] if word == "time" else f"{float(f'{float(size):.2g}'):g} {unit}"


def rows_of(name, expectation, variant):
    """The rows of a sweep's summary that an expectation is about."""
    metric, own = metrics.METRICS[expectation.metric], planned(name).own
    numbers = expectation.select(own)
    if variant and "variant" not in {each.name for each in expectation.where}:
        numbers = [number for number in numbers if own[number]["variant"] == variant]
    part = expectation.part
    found = table(name, "summary" if part is None else {"link": "links", "group": "groups"}.get(part.kind, part.kind))
    found = found.filter(pl.col("metric") == expectation.metric, pl.col("combination").is_in(numbers))
    if part is not None:
        found = found.filter(pl.col(part.kind) == part.name)
    elif metric.by_variant:
        of_flows = pl.col("flow_variant") == variant if variant else pl.col("flow_variant").is_not_null()
        found = found.filter(of_flows)
    found = found.filter(pl.col("mean").is_not_null())
    if found.is_empty():
        raise Wrong(f"{name} has no such mean")
    return found


def number(value, metric, forms):
    """A mean in its metric's unit for people. Shares are in per cent."""
    digits = next((int(each[0]) for each in forms if each.endswith("digits")), 3)
    scale, unit = shown_in(metric)
    text = rounding.with_minus(rounding.significant(abs(value * scale), digits))
    text = f"−{text}" if value < 0 and text != "0" else text
    return text if "plain" in forms or not unit else f"{text} {unit}"


def shown_in(name):
    """The scale and the unit of a metric; texts have utilisations in per cent."""
    metric = metrics.METRICS[name]
    return (100, "%") if name == "utilisation" else (metric.scale, metric.shown_unit)


def value(text):
    """The text that a mark shows."""
    name, question, about, other, forms = parsed(text)
    if about is None:
        word = question.split(" ")[0]
        return expected(name, word) if word in EXPECTED else count(name, question)
    metric, variant = about.metric, about.variant
    if other and other[0] in ("against", "beside"):
        return {"against": effect, "beside": harm}[other[0]](name, about, other[1], forms)
    found = rows_of(name, about, variant)
    if other and other[1] == "all":
        everyone = rows_of(name, dataclasses.replace(about, variant=None), None)
        return number(found["mean"][0] / everyone["mean"].sum(), "utilisation", forms or ["2 digits"])
    if other:
        rest = rows_of(name, about, other[1])
        return number(found["mean"][0] / rest["mean"][0], "jain", forms or ["2 digits"])
    if "interval" in forms:
        (row,) = found.iter_rows(named=True)
        scale, unit = shown_in(metric)
        shown = rounding.mean_text(row["mean"], row["low"], row["high"], scale, metrics.METRICS[metric].interval, 3)
        return shown if "plain" in forms or not unit else f"{shown} {unit}"
    least, most = (number(end, metric, forms) for end in (found["mean"].min(), found["mean"].max()))
    return most if least == most else f"{least.split(' ')[0]} to {most}"


def effect(name, about, reference, forms):
    """A difference of two variants, or the ends of its corrected interval, or its finding."""
    numbers = about.select(planned(name).own)
    mine = (pl.col("metric") == about.metric, pl.col("variant") == about.variant, pl.col("reference") == reference)
    found = table(name, "effects").filter(*mine, pl.col("mix").is_null(), pl.col("combination").is_in(numbers))
    if found.is_empty():
        raise Wrong(f"{name} compares no {about.variant} with {reference}")
    metric = about.metric
    if "finding" in forms:
        words = {"higher": "higher", "lower": "lower", "same": "equivalent", "undecided": "inconclusive"}
        return " or ".join(dict.fromkeys(words.get(each, each) for each in found["finding"]))
    if "percent" in forms:
        metric, ends = "utilisation", ("effect", "effect_low", "effect_high")
    else:
        ends = ("difference", "holm_low", "holm_high")
    if "bounds" in forms:
        least, most = (number(found[each][0], metric, forms) for each in ends[1:])
        return f"{least.split(' ')[0]} to {most}"
    return number(found[ends[0]][0], metric, forms)


def harm(name, about, beside, forms):
    """The harm to a variant by another in a mix; beside itself, by flows of its own."""
    itself = beside == about.variant
    asked = [pl.col("metric") == about.metric, pl.col("victim") == about.variant]
    asked += [pl.col("combination").is_in(about.select(planned(name).own))]
    found = table(name, "harm").filter(*asked, pl.lit(itself) | (pl.col("beside") == beside))
    if found.is_empty():
        raise Wrong(f"{name} has no harm to {about.variant} by {beside}")
    low, mean, high = (found["own_harm" + each if itself else "harm" + each][0] for each in ("_low", "", "_high"))
    if "interval" in forms:
        return rounding.with_minus(rounding.mean_text(mean, low, high, 1, "bootstrap", 2))
    return number(mean, "jain", forms or ["2 digits"])


# --- Blocks. ---


def columns_of(rows, wanted):
    """A table of the terminal with only the wanted columns."""
    places = [next((n for n, head in enumerate(rows[0]) if head.startswith(each)), None) for each in wanted]
    if None in places:
        raise Wrong(f"no column {wanted[places.index(None)]}; there are {', '.join(rows[0])}")
    return [[row[n] for n in places] for row in rows]


def closing(name, wanted):
    """What a sweep prints at its end: the answer, a table with some columns, and the findings."""
    table(name, "summary")
    told = json.loads((ROOT / "results" / "sweeps" / name / "closing.json").read_text(encoding="utf-8"))
    parts = [finished_sweep.without_bars(part) for part in told["tables"]]
    first = next(n for n, part in enumerate(parts) if isinstance(part, list))
    last = next(n for n, part in enumerate(parts) if n > first and part[:3] == "  (")
    head = [part for part in parts[:first] if not part.startswith(("  (", f"{name}: "))]
    kept = [columns_of(parts[first], wanted) if wanted else parts[first], *parts[first + 1 : last]]
    return aligned.in_lines([*head, *kept, *parts[last + 1 :]])


def block(told):
    """The text between a block's marks."""
    kind, _, rest = told.partition(" ")
    if kind.startswith("text"):
        return re.sub(r"\{([^{}]+)\}", lambda each: value(each[1]), told.partition("\n")[2].strip()) + "\n"
    name, _, wanted = rest.partition(":")
    if kind == "closing":
        return f"```\n{closing(name, [each.strip() for each in wanted.split(',') if each.strip()])}\n```\n"
    if kind == "check":
        return f"```console\n$ tcpsweep check {files()[name].relative_to(ROOT)}\n{checked(name)}\n```\n"
    table(name, "summary")
    done = subprocess.run([COMMAND, "watch", name, "--once"], cwd=ROOT, capture_output=True, text=True, check=True)
    return f"```console\n$ tcpsweep watch {name} --once\n{done.stdout.strip()}\n```\n"


def asked(told):
    """The values that a block asks for, and its sweep."""
    if told.startswith("text"):
        return re.findall(r"\{([^{}]+)\}", told)
    kind, _, rest = told.partition(" ")
    if kind not in BLOCKS:
        raise Wrong(f"expected one of {', '.join(BLOCKS)} or text, got {kind!r}")
    return [f"{rest.partition(':')[0]} {'time' if kind == 'check' else 'simulations'} as plain"]


# --- Pages. ---


def due(text, names, every):
    """Whether a value is to be made: counts always, expected times with `every`, results of the sweeps ``names``."""
    name, question, about, _, forms = parsed(text)
    if about is None and question.split(" ")[0] in EXPECTED:
        return every or (bool(forms) and name in names)
    return (about is None and not forms) or name in names


def filled(text, names, every):
    """A page's text with the values and blocks of sweeps anew."""

    def shown(match):
        return f"<!--shown: {match[1]}-->{value(match[1])}<!--/-->" if due(match[1], names, every) else match[0]

    def blocks(match):
        fits = all(due(each, names, every) for each in asked(match[1]))
        end = " -->" if "\n" not in match[1] else "\n-->"
        return f"<!-- shown: {match[1].rstrip()}{end}\n{block(match[1])}<!-- /shown -->" if fits else match[0]

    return BLOCK.sub(blocks, VALUE.sub(shown, text))


def mistakes():
    """The marks that are wrong, counts that the sweep files do not have, and numbers typed where all are marked."""
    for page in PAGES:
        text, place = page.read_text(encoding="utf-8"), str(page.relative_to(ROOT))
        for found in re.finditer(r"^ *<!--shown:", text, re.MULTILINE):
            yield f"{place}: a value at the start of a line, which no longer is Markdown: {found[0]}"
        rest = BLOCK.sub("", VALUE.sub("", text))
        for found in VALUE.finditer(text):
            if not found[2]:
                yield f"{place}: a value that was never made: {found[1]}"
        if left := re.search(r"<!-- ?/?shown.*|<!--/-->", rest):
            yield f"{place}: a mark without its other half: {left[0]}"
        values = [match[1] for match in VALUE.finditer(text)]
        for told in (match[1] for match in BLOCK.finditer(text)):
            try:
                values += asked(told)
            except Wrong as wrong:
                yield f"{place}: {told.splitlines()[0]}: {wrong}"
        for each in values:
            try:
                parsed(each)
            except (Wrong, yaml_document.Mistakes) as wrong:
                yield f"{place}: {each}: {wrong}"
        try:
            if filled(text, (), every=False) != text:
                yield f"{place}: a number of simulations or a value of a sweep file is old: make shown PARTS="
        except Wrong:
            continue
        if place in TYPED_NOTHING:
            yield from (f"{place}: typed in: {each}" for each in typed(text))


UNIT = r"(?:%|ms|s|[kMG]bit/s|[kMG]?B|times|simulations|timeouts|packets|percentage points)"
NUMBER = re.compile(rf"(?<![\w./-])[−-]?\d[\d,.]*(?: (?:±|to|and|or) [\d.,]+)* ?{UNIT}(?![\w/])")
# Phrases with numbers that come of no sweep: of the method, of a sweep file, of a file's size.
NOT_RESULTS = re.compile(
    r"95 % (?:confidence|intervals?)|2 % by default|(?:at|loss of) (?:0\.1|1) %|100,000 simulations|downloads 325 MB"
)
FENCE = re.compile(r"^( *)```.*?^ *```$", re.DOTALL | re.MULTILINE)


def typed(text):
    """The numbers of results in a page that no mark makes, each with the words around it."""
    rest = VALUE.sub("", BLOCK.sub("", text))
    rest = re.sub(r"`[^`\n]*`|\]\([^)]*\)|<!--.*?-->", "", FENCE.sub("", rest), flags=re.DOTALL)
    for line in NOT_RESULTS.sub("", rest).splitlines():
        for found in NUMBER.finditer(line):
            yield line[max(0, found.start() - 22) : found.end() + 22].strip()


# --- Pictures. ---


def copied():
    """Copy the gallery's figures and tables from the sweeps' folders, and take its pictures."""
    from docs import pictures  # it needs a browser

    for name in ("quick-look", "rtt-fairness", "lossy-link"):
        for source in sorted((ROOT / "results" / "sweeps" / name / "figures").glob("*-[0-9]-*")):
            kind = re.match(r"(?:figure|table|time)-\d+", source.name)
            first = {".svg": "<!-- SPDX-License-Identifier: MIT -->", ".tex": "% SPDX-License-Identifier: MIT\n"}
            if not kind or source.suffix not in first or (source.suffix == ".tex" and "table" not in kind[0]):
                continue
            text, head = source.read_text(encoding="utf-8"), first[source.suffix]
            text = text.replace(">", f">{head}", 1) if source.suffix == ".svg" else head + text
            (pictures.GALLERY / f"{name}-{kind[0]}{source.suffix}").write_text(text, encoding="utf-8")
    pictures.enlarge()
    pictures.take(pictures.REPORT, pictures.GALLERY)


def run(*words):
    """Run a command of tcpsweep in the clone, and return its exit status."""
    return subprocess.run([COMMAND, *words], cwd=ROOT, check=False).returncode


def main():
    """Run the sweeps of parts, and fill their pages; or check or list."""
    connect.connect()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", help=f"all of {', '.join(PARTS)}; by hand: {', '.join(LATER)}")
    parser.add_argument("--check", action="store_true", help="report wrong marks and typed numbers; run nothing")
    parser.add_argument("--typed", action="store_true", help="list numbers of results that no mark makes; run nothing")
    parser.add_argument("--no-sweeps", action="store_true", help="fill pages from the results that are there")
    given = parser.parse_args()
    given.parts = given.parts or list(PARTS)
    if given.check:
        found = list(mistakes())
        sys.exit("\n".join(found) if found else 0)
    if given.typed:
        for page in PAGES:
            found = [] if page.name.startswith("reference") else list(typed(page.read_text(encoding="utf-8")))
            print("\n  ".join([f"{page.relative_to(ROOT)}: {len(found)}", *found]))
        return
    for part in given.parts:
        if part in LATER:
            parser.error(f"{part} has no marks yet. It runs by hand: {LATER[part]}")
        if part not in PARTS:
            parser.error(f"unknown part {part}; there are {', '.join(PARTS)}")
    chosen = dict.fromkeys(file for part in given.parts for file in PARTS[part])
    failed = [file for file in chosen if not given.no_sweeps and run("sweep", file)]
    names = {name for name, path in files().items() if str(path.relative_to(ROOT)) in {*chosen} - {*failed}}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        try:
            new = filled(text, names, every="example-sweeps" in given.parts)
        except Wrong as wrong:
            sys.exit(f"{page.relative_to(ROOT)}: {wrong}")
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"changed: {page.relative_to(ROOT)}")
    if "gallery" in given.parts:
        copied()
    if failed:
        sys.exit(f"these sweeps failed, so their numbers are the old ones: {', '.join(failed)}")


if __name__ == "__main__":
    connect.connect()
    main()

# SPDX-License-Identifier: MIT
"""`python -m tests.oracle FOLDER`: run all sweeps of config/ in a quick form, and compare what they leave with before.

The first run keeps what the sweeps leave as the reference, in FOLDER/reference; later runs compare, and end with 1 if
anything differs. Simulations stay in FOLDER/place, so that later runs check code and not ns-3. Compared are commands,
tables, figures, the text of pages and of the terminal, and the messages about a thousand damaged sweep files. Files
that name the code, times or the machine are left out.
"""

import argparse
import contextlib
import difflib
import filecmp
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import yaml

from benchmarks.harness import PARTS
from tcpsweep.core.plan import checked_sweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.registry import connect
from tests.mutations import damage
from tests.mutations.test_sweep_files import FILES
from tests.support.project import TCPSWEEP
from tests.support.tools import ROOT

MESSAGES = 1000
MOST_VALUES, MOST_VARIANTS, SHORTEST_S, WARMUP_S = 2, 3, 6, 2
MOST_MISTAKES = 12  # keys that a quick form may lose, because they name what it leaves out
DIFFERENT_LINES = 12  # shown of each file
TEXTS = {".csv", ".json", ".md", ".svg", ".tex"}
# Files that name the code, times, or the machine.
LEFT_OUT = {"sweep.json", "asked.json", "covered.json", "pages.json", "attributes.json"}
IDS = re.compile(r"\b([0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{64}|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8,40})\b")
NEEDS_MORE = {"quic", "score-card", "websearch"}  # sweeps that need other programs, or minutes
AT_ONCE = 2  # sweeps, each on one core: much of a short sweep is the start of Snakemake


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", help="sweeps whose names contain this text")
    asked = parser.parse_args()
    connect.connect()
    reference = asked.folder / "reference"
    left = asked.folder / ("new" if reference.is_dir() else "made")
    shutil.rmtree(left, ignore_errors=True)
    left.mkdir(parents=True)
    place = with_code(asked.folder / "place")
    files = [quick_form(file, place) for file in sweep_files() if not asked.only or asked.only in file.stem]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda file: keep(place, file, left), files))
    (left / "messages.txt").write_text(messages(asked.folder / "damaged"))
    if not reference.is_dir():
        left.rename(reference)
        print(f"kept as the reference: {reference}")
        return 0
    return compared(reference, left, bool(asked.only))


def sweep_files():
    """All sweep files of config/ that need only ns-3 and at most one kernel of Linux."""
    found = sorted([*(ROOT / "config").glob("*.yaml"), *(ROOT / "config").glob("*/*.yaml")])
    return [file for file in found if is_sweep(file) and not is_slow(file)]


def is_sweep(file):
    text = file.read_text(encoding="utf-8")
    return re.search("^sweep:", text, re.MULTILINE) is not None


def is_slow(file):
    """Whether a sweep needs more programs, or minutes, as the studies with Linux do."""
    return file.stem in NEEDS_MORE or (file.parent.name == "studies" and file.stem.startswith("linux"))


def with_code(place):
    """A folder with a copy of the code as it is now, and with the simulations of earlier runs."""
    place.mkdir(parents=True, exist_ok=True)
    for made in ("results/sweeps", "reports"):
        shutil.rmtree(place / made, ignore_errors=True)
    for part in PARTS:
        source, target = ROOT / part, place / part
        shutil.rmtree(target, ignore_errors=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return place


def quick_form(source, place):
    """The path of a sweep file with few values, two runs and short simulations; None if it has no quick form."""
    data = yaml.safe_load(source.read_text(encoding="utf-8"))
    data["sweep"] = source.relative_to(ROOT / "config").with_suffix("").as_posix().replace("/", "-")
    rounds = {"search", "refine", "precision"} & data.keys()
    data.pop("repetitions", None)
    data |= {} if rounds else {"runs": [1, 2]}
    for section in ("grid", "zip"):
        blocks = data.get(section, [])
        for block in blocks if isinstance(blocks, list) else [blocks]:
            for name, values in block.items():
                block[name] = values[: MOST_VARIANTS if name == "variant" else MOST_VALUES]
    fixed = data.get("fixed", {})
    if float(re.match("[0-9.]+", str(fixed.get("duration", "0")))[0]) > SHORTEST_S:
        fixed |= {"duration": f"{SHORTEST_S}s", "warmup": f"{WARMUP_S}s"}
    file = place / source.parent.relative_to(ROOT) / f"oracle-{source.name}"
    for _ in range(MOST_MISTAKES):
        file.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
        try:
            checked_sweep.without_ns3(file)
        except yaml_document.Mistakes as error:
            key = re.match(r"[^\n]*?:\d+:\d+: ([a-z_]+)", str(error))
            if not key or data.pop(key[1], None) is None:
                break
        else:
            return file
    print(f"no quick form: {source.relative_to(ROOT)}")
    return None


def keep(place, file, left):
    """Run a sweep, and keep what it leaves: texts as they are, and digests of the other files."""
    if file is None:
        return
    command = [TCPSWEEP, "sweep", file.relative_to(place), "--cores", "1"]
    ran = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    name = yaml.safe_load(file.read_text(encoding="utf-8"))["sweep"]
    of_sweep, kept = place / "results" / "sweeps" / name, left / name
    kept.mkdir()
    (kept / "terminal.txt").write_text(f"status {ran.returncode}\n{last_lines(ran.stderr)}")
    for path in sorted(of_sweep.glob("*")) + sorted(of_sweep.glob("figures/*")):
        if path.name not in LEFT_OUT and path.suffix in TEXTS:
            (kept / path.name).write_text(without_ids(path.read_text(encoding="utf-8")))
        elif path.suffix == ".parquet":
            text = without_ids(pl.read_parquet(path).write_ndjson())
            (kept / f"{path.name}.sha256").write_text(hashlib.sha256(text.encode()).hexdigest())
    page = place / "reports" / f"{name}.html"
    if page.is_file():
        (kept / "page.txt").write_text(words_of(page.read_text(encoding="utf-8")))
    print(f"{name}: {ran.returncode}, {len(list(kept.iterdir()))} files", flush=True)


def last_lines(text):
    """What a run says at its end, without what differs from run to run."""
    return "\n\n".join(text.split("\n\n")[-4:]) if "\nreport: " in text else text[-2000:]


def without_ids(text):
    """A text without the ids of simulations and of code, which may change while the numbers stay."""
    return re.sub(
        r"\b([0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{64}|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8,40})\b", "…", text
    )


def words_of(page):
    """The text of a page, a line each, without scripts, styles and digests."""
    text = re.sub(r"(?s)<(script|style)\b.*?</\1>|<[^>]+>", "\n", page)
    text = re.sub(r"[0-9.]+ (MB|kB|GB)|[0-9-]{10}", "…", without_ids(text))
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def messages(folder):
    """The messages about damaged sweep files, from fixed seeds, the same for each file whatever the others are."""
    folder.mkdir(exist_ok=True)
    said = []
    with contextlib.chdir(folder):
        for source in FILES:
            for seed in range(MESSAGES // len(FILES) + 1):
                rng = random.Random(f"{source.name} {seed}")
                _, content = damage.damaged(rng, source.read_bytes(), damage.TEXT, rng.choice([1, 1, 2, 5]))
                Path("sweep.yaml").write_bytes(content.replace(b"../", b""))
                said.append(f"{source.name} {seed}: {message(Path('sweep.yaml'))}")
    return "\n".join(said) + "\n"


def message(file):
    """What is said about a sweep file."""
    try:
        checked_sweep.without_ns3(file)
    except yaml_document.Mistakes as error:
        return str(error)
    return "nothing"


def compared(reference, new, is_part):
    """Print what differs, and return the exit status."""
    names = {path.relative_to(reference) for path in reference.rglob("*") if path.is_file()}
    there = {path.relative_to(new) for path in new.rglob("*") if path.is_file()}
    lacking = {name for name in names - there if not is_part or (new / name.parts[0]).exists()}
    unequal = sorted(name for name in names & there if not filecmp.cmp(reference / name, new / name, shallow=False))
    for name in sorted(lacking):
        print(f"gone: {name}")
    for name in sorted(there - names):
        print(f"new: {name}")
    for name in unequal:
        print(f"differs: {name}")
        if name.suffix != ".sha256":
            old, now = ((folder / name).read_text(encoding="utf-8").splitlines() for folder in (reference, new))
            lines = list(difflib.unified_diff(old, now, lineterm="", n=0))[2:]
            print("\n".join(f"    {line[:200]}" for line in lines[:DIFFERENT_LINES]))
    changed = len(lacking) + len(there - names) + len(unequal)
    print(f"{len(there)} files compared, {changed} differ")
    return int(changed > 0)


if __name__ == "__main__":
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""Which of a sweep's variants a certificate covers, in which of its network conditions: docs/features/certificate.md.

`config/certificate-shares.yaml` has the certificate that comes along, in short.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import yaml

from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.sweep import axes
from tcpsweep.core.sweep.matching import Settings
from tcpsweep.core.sweep.sweep_record import UNSET, PlannedSweep, value_text
from tcpsweep.core.words import printed_names
from tcpsweep.core.words.mixes import Mix
from tcpsweep.features.corrections import correction_names, corrections_in_force, known_defects

FILE = source_folders.ROOT / "config" / "certificate-shares.yaml"
CERTIFIED = "✓"
ENOUGH = 0.9  # the share of equivalent comparisons from which on a variant is certified in a kind of network
_LONG = ("duration", "warmup")  # longer times than the certificate's shortest are covered
# Values between those of the certificate are covered.
_BOUNDED = ("bandwidth", "delay", "queue", "flows", "loss", "start_stagger", *_LONG)
# Settings that a certificate does not depend on.
_FREE = (
    *("variant", "stack", "kernel", "sysctls", "assignment", "tcp", correction_names.KEY),
    *("flow_warmup", "start_jitter"),
)
_PRESET = "preset"

# Equivalent comparisons and all, by metric.
Counts = dict[str, tuple[int, int]]


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`config/certificate-shares.yaml`."""

    ns3: str
    ns3_libraries: str  # a hash over its libraries
    linux: str  # its release
    tcpsweep: str
    corrections: str  # `cpp_code.corrections_id`
    seed: int
    repetitions: int
    scenario: str
    between: dict[str, dict[str, tuple[str, str]]]  # by kind of network: a parameter's least and greatest value
    among: dict[str, dict[str, list[str]]]  # by value of `corrections`: each other parameter's and attribute's values
    shares: dict[str, dict[str, dict[str, Counts]]]  # by variant, value of `corrections`, and kind of network


@functools.cache
def certificate() -> Certificate:
    """The certificate that comes along."""
    return msgspec.convert(yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader), Certificate)


def kind(row: Settings) -> str:
    """The kind of a combination's network, by which a certificate counts.

    Several kinds at a time are a kind of their own, such as "ECN and random loss".
    """
    has_ecn = value_text(row, "ecn") == "true"
    features = {
        "transfers that end": value_text(row, "bytes") not in ("0", UNSET),
        "ECN": has_ecn,
        "active queue management": value_text(row, "queue_disc") not in ("none", UNSET) and not has_ecn,
        "random loss": (known_defects.number(row.get("loss", 0)) or 0) > 0,
    }
    return " and ".join(name for name, is_there in features.items() if is_there) or "drop-tail queues"


def covered(rows: Iterable[Settings]) -> tuple[dict[str, dict[str, tuple[str, str]]], dict[str, dict[str, list[str]]]]:
    """The settings of some combinations, as a certificate's ``between`` and ``among``."""
    by_kind: dict[str, list[Settings]] = {}
    by_corrections: dict[str, list[Settings]] = {}
    for row in rows:
        by_kind.setdefault(kind(row), []).append(row)
        by_corrections.setdefault(str(row[correction_names.KEY]), []).append(row)
    among = {value: _values(some) for value, some in by_corrections.items()}
    return {name: _ends(some) for name, some in by_kind.items()}, among


def _values(rows: Sequence[Settings]) -> dict[str, list[str]]:
    """The values of each parameter and attribute that is neither bounded nor free."""
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if name not in (*_FREE, *_BOUNDED)]
    return {name: list(dict.fromkeys(value_text(row, name) for row in rows)) for name in names}


def _ends(rows: Sequence[Settings]) -> dict[str, tuple[str, str]]:
    """The least and the greatest value of each bounded parameter."""
    values = {name: sorted((value_text(row, name) for row in rows), key=_order) for name in _BOUNDED}
    return {name: (texts[0], texts[-1]) for name, texts in values.items()}


def _order(value: str) -> float:
    return known_defects.number(value) or 0


def section(sweep: PlannedSweep) -> dict[str, Any] | None:
    """What the report says of the certificate; None if no flow has ns-3's TCP.

    - ``certificate``, and ``enough``, the share from which on a variant is certified
    - ``is_another_build``: whether the sweep's ns-3 has other libraries than the certificate's
    - ``is_earlier``: whether the corrections' code has changed since
    - ``metrics`` that were compared, and ``names`` of the certified variants
    - ``rows`` with ``variant``, ``corrections``, ``sign``, ``words``, ``networks`` and ``inside``, how many of the
      sweep's network conditions are covered, ``counts`` by metric, and ``outside``, the settings that are not covered
    """
    published = certificate()
    numbers: dict[tuple[str, str], list[int]] = {}  # the combinations of each variant, by corrections
    for number, row in enumerate(sweep.combinations):
        for variant in corrections_in_force.of_ns3(row):
            numbers.setdefault((variant, str(row[correction_names.KEY])), []).append(number)
    places = axes.network_keys(sweep)
    ordered = sorted(numbers, key=lambda pair: pair[0])
    rows = [_row(sweep, *pair, published, {number: places[number] for number in numbers[pair]}) for pair in ordered]
    if not rows:
        return None
    return {
        "certificate": published,
        "enough": ENOUGH,
        "is_another_build": (published.ns3, published.ns3_libraries) != (sweep.ns3_version, sweep.ns3_libraries),
        "is_earlier": published.corrections != cpp_code.corrections_id(),
        "rows": rows,
        "names": [_named(row, rows, sweep.names) for row in rows if row["sign"] == CERTIFIED],
        "metrics": list(dict.fromkeys(name for row in rows for name in row["counts"])),
    }


def _row(
    sweep: PlannedSweep, variant: str, value: str, published: Certificate, places: Mapping[int, str]
) -> dict[str, Any]:
    """A row; ``places`` has the network of each combination with this variant and these corrections."""
    by_kind = published.shares.get(variant, {}).get(value, {})
    outside: dict[str, set[str]] = {}
    inside, kinds = set(), set()
    for number, place in places.items():
        row = sweep.combinations[number]
        lacking = _lacking(sweep, row, published) if by_kind else {}
        if kind(row) in by_kind and not lacking:
            inside.add(place)
            kinds.add(kind(row))
        for name, text in lacking.items():
            outside.setdefault(name, set()).add(text)
    networks = len(set(places.values()))
    return {
        "variant": variant,
        "corrections": value,
        "networks": networks,
        "inside": len(inside),
        "counts": _added(by_kind[condition] for condition in sorted(kinds)),
        "outside": {name: sorted(texts, key=_order) for name, texts in outside.items()},
        **_verdict(variant, value, published, sorted(kinds), (len(inside), networks)),
    }


def _lacking(sweep: PlannedSweep, row: Settings, published: Certificate) -> dict[str, str]:
    """A combination's settings that the certificate does not cover, with their values."""
    if sweep.scenario != published.scenario:
        return {"scenario": sweep.scenario}
    if sweep.ns3_version != published.ns3:
        return {"ns-3": sweep.ns3_version}
    among = published.among[str(row[correction_names.KEY])]
    if (preset := value_text(row, _PRESET)) not in among[_PRESET]:
        return {_PRESET: preset}
    if Mix.parse(str(row["variant"])).is_mixed:  # also with Linux' TCP and QUIC
        return {"variant": str(row["variant"])}
    if kind(row) not in published.between:
        return {"network": kind(row)}
    between = published.between[kind(row)]
    outside = {}
    for name in dict.fromkeys([*row, *between, *among]):
        text = value_text(row, name)
        if name in between:
            low, high = map(_order, between[name])
            here = known_defects.number(text)
            is_inside = here is not None and low <= here and (here <= high or name in _LONG)
        else:
            is_inside = name in _FREE or text in among.get(name, [UNSET])
        if not is_inside:
            outside[name] = text
    return outside


def _added(every: Iterable[Counts]) -> Counts:
    added: Counts = {}
    for counts in every:
        for name, (equivalent, total) in counts.items():
            before = added.get(name, (0, 0))
            added[name] = (before[0] + equivalent, before[1] + total)
    return added


def _equivalent(counts: Counts) -> tuple[int, int]:
    """The equivalent comparisons and all, over all metrics."""
    return sum(pair[0] for pair in counts.values()), sum(pair[1] for pair in counts.values())


def _verdict(
    variant: str, value: str, published: Certificate, kinds: Sequence[str], inside: Sequence[int]
) -> Mapping[str, str]:
    """The ``sign`` and the ``words`` of a row, whose covered networks are of these kinds."""
    if variant not in published.shares:
        return {"sign": "–", "words": "not compared with Linux"}
    if value not in published.shares[variant]:
        return {"sign": "–", "words": f"not compared with `corrections: {value}`"}
    if not inside[0]:
        return {"sign": "–", "words": "not compared in these network conditions"}
    by_kind = {name: published.shares[variant][value][name] for name in kinds}
    where = "" if inside[0] == inside[1] else f", for {inside[0]} of {inside[1]} network conditions"
    said = f"{_of(_added(by_kind.values()))} comparisons are equivalent{where}"
    few = {name: counts for name, counts in by_kind.items() if not _is_enough(counts)}
    if few and len(kinds) > 1:
        said += f"; {', '.join(f'{_of(counts)} with {name}' for name, counts in few.items())}"
    return {"sign": "✗" if few else CERTIFIED, "words": said}


def _is_enough(counts: Counts) -> bool:
    equivalent, total = _equivalent(counts)
    return equivalent >= ENOUGH * total


def _of(counts: Counts) -> str:
    equivalent, total = _equivalent(counts)
    return f"{equivalent} of {total}"


def _named(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """A row's variant for print, with its corrections if it has several, and with what part of the sweep is covered."""
    is_alone = sum(other["variant"] == row["variant"] for other in rows) == 1
    variant = printed_names.mix_name(str(row["variant"]), names)
    name = variant if is_alone else f"{variant} ({row['corrections']})"
    return name if row["inside"] == row["networks"] else f"{name} in {row['inside']} of {row['networks']}"

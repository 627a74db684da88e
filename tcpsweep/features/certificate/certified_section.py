# SPDX-License-Identifier: MIT
"""What a certificate says of a sweep's variants, and which networks were tested: docs/features/certificate.md.

`config/certificate-shares.yaml` has the certificate that comes along, in short.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import yaml

from tcpsweep.core.analysis.sweep_results import SweepResults
from tcpsweep.core.contact.section import Remark, Section
from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.sweep import axes, ns3_tcp
from tcpsweep.core.sweep.matching import Combination
from tcpsweep.core.sweep.ns3_tcp import CORRECTIONS, PRESET, TCP
from tcpsweep.core.sweep.sweep_record import UNSET, PlannedSweep, value_text
from tcpsweep.core.words import printed_names, units
from tcpsweep.core.words.metrics import METRICS
from tcpsweep.features.certificate import strict_counts

FILE = source_folders.ROOT / "config" / "certificate-shares.yaml"
CERTIFIED = "✓"
ENOUGH = 0.9  # the share of equivalent comparisons from which on a variant is certified in a kind of network
MOST_NAMED = 3  # certified variants below the title
_LONGER_IS_COVERED = ("duration", "warmup")  # longer times than the certificate's shortest are covered
# A value beyond all those of the certificate is outside it.
_BOUNDED = ("bandwidth", "delay", "queue", "flows", "loss", "start_stagger", *_LONGER_IS_COVERED)
_OF_NETWORK = (*_BOUNDED, "queue_disc", "ecn", "bytes")
# Combination that a certificate does not depend on.
_ANY_VALUE = (
    *("variant", "stack", "kernel", "sysctls", "assignment", TCP, CORRECTIONS),
    *("flow_warmup", "start_jitter"),
)

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
    margins: dict[str, list[float | None]]  # by metric: a share of Linux' mean, and a value, of which the larger counts
    tested: dict[str, list[dict[str, str]]]  # by kind of network: the values of each network
    among: dict[str, dict[str, list[str]]]  # by value of `corrections`: each other parameter's and attribute's values
    is_strict: bool  # whether the shares are without comparisons that are `strict_counts.is_lenient`
    shares: dict[str, dict[str, dict[str, Counts]]]  # by variant, value of `corrections`, and kind of network


@functools.cache
def certificate() -> Certificate:
    """The certificate that comes along."""
    return msgspec.convert(yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader), Certificate)


def kind(row: Combination) -> str:
    """The kind of a combination's network, by which a certificate counts.

    Several kinds at a time are a kind of their own, such as "ECN and random loss".
    """
    has_ecn = value_text(row, "ecn") == "true"
    features = {
        "transfers that end": value_text(row, "bytes") not in ("0", UNSET),
        "ECN": has_ecn,
        "active queue management": value_text(row, "queue_disc") not in ("none", UNSET) and not has_ecn,
        "random loss": (units.as_number(row.get("loss", 0)) or 0) > 0,
    }
    return " and ".join(name for name, has_feature in features.items() if has_feature) or "drop-tail queues"


def settings_of_network(row: Combination) -> dict[str, str]:
    """The values of a combination that tell its network from a certificate's others."""
    return {name: value_text(row, name) for name in _OF_NETWORK}


def covered(rows: Iterable[Combination]) -> tuple[dict[str, list[dict[str, str]]], dict[str, dict[str, list[str]]]]:
    """The settings of some combinations, as a certificate's ``tested`` and ``among``."""
    tested: dict[str, list[dict[str, str]]] = {}
    rows_by_corrections: dict[str, list[Combination]] = {}
    for row in rows:
        network = settings_of_network(row)
        of_kind = tested.setdefault(kind(row), [])
        of_kind += [] if network in of_kind else [network]
        rows_by_corrections.setdefault(str(row[CORRECTIONS]), []).append(row)
    among = {value: _values_by_name(group_rows) for value, group_rows in rows_by_corrections.items()}
    return tested, among


def _values_by_name(rows: Sequence[Combination]) -> dict[str, list[str]]:
    """The values of each parameter and attribute that must have one of the certificate's own values."""
    names = [
        name for name in dict.fromkeys(name for row in rows for name in row) if name not in (*_ANY_VALUE, *_BOUNDED)
    ]
    return {name: list(dict.fromkeys(value_text(row, name) for row in rows)) for name in names}


def _sort_key(value: str) -> float:
    return units.as_number(value) or 0


class _Row(NamedTuple):  # a variant with one value of ``corrections``
    variant: str
    corrections: str
    sign: str
    words: str
    compared: int  # networks of the certificate
    networks: int  # the sweep's network conditions
    tested: int  # of these, how many are among the certificate's
    inside: int  # of these, how many have no value beyond the certificate's
    outside: dict[str, list[str]]  # those values
    counts: Counts


@dataclass(frozen=True)
class Certified:
    """What the report says of the certificate."""

    certificate: Certificate
    is_another_build: bool  # whether the sweep's ns-3 has other libraries than the certificate's
    is_earlier: bool  # whether the corrections' code has changed since
    rows: list[_Row]
    names: list[str]  # of the certified variants
    metrics: dict[str, str]  # that were compared, and their titles
    enough: float = ENOUGH  # the share from which on a variant is certified


def section(sweep: PlannedSweep) -> Certified | None:
    """What the report says of the certificate; None if no flow has ns-3's TCP."""
    published = certificate()
    by_pair: dict[tuple[str, str], list[int]] = {}  # by variant and corrections
    for combination, row in enumerate(sweep.combinations):
        for variant in ns3_tcp.variants(row):
            by_pair.setdefault((variant, str(row[CORRECTIONS])), []).append(combination)
    networks = axes.network_keys(sweep)
    sorted_pairs = sorted(by_pair, key=lambda pair: pair[0])
    rows = [
        _row(sweep, *pair, published, {combination: networks[combination] for combination in by_pair[pair]})
        for pair in sorted_pairs
    ]
    if not rows:
        return None
    compared = list(dict.fromkeys(name for row in rows for name in row.counts))
    return Certified(
        published,
        is_another_build=(published.ns3, published.ns3_libraries) != (sweep.ns3_version, sweep.ns3_libraries),
        is_earlier=published.corrections != cpp_code.corrections_id(),
        rows=rows,
        names=[_printed_name(row, rows, sweep.names) for row in rows if row.sign == CERTIFIED],
        metrics={name: METRICS[name].title if name in METRICS else name for name in compared},
    )


def _row(
    sweep: PlannedSweep, variant: str, value: str, published: Certificate, network_by_combination: Mapping[int, str]
) -> _Row:
    """A row of `section`. ``value`` is one of ``corrections``.

    ``network_by_combination`` has the combinations with this variant and these corrections.
    """
    kind_counts = published.shares.get(variant, {}).get(value, {})
    outside_texts_by_name: dict[str, set[str]] = {}
    covered_networks, tested_networks, covered_kinds = set(), set(), set()
    for combination, network in network_by_combination.items():
        row = sweep.combinations[combination]
        uncovered = _uncovered_settings(sweep, row, published) if kind_counts else {}
        if kind(row) in kind_counts and not uncovered:
            covered_networks.add(network)
            covered_kinds.add(kind(row))
            if _is_tested(row, published):
                tested_networks.add(network)
        for name, text in uncovered.items():
            outside_texts_by_name.setdefault(name, set()).add(text)
    network_count = len(set(network_by_combination.values()))
    return _Row(
        variant,
        value,
        *_verdict(variant, value, published, sorted(covered_kinds), (len(covered_networks), network_count)),
        compared=_compared_networks({condition: kind_counts[condition] for condition in covered_kinds}, published),
        networks=network_count,
        tested=len(tested_networks),
        inside=len(covered_networks),
        outside={name: sorted(texts, key=_sort_key) for name, texts in outside_texts_by_name.items()},
        counts=_total_counts(kind_counts[condition] for condition in sorted(covered_kinds)),
    )


def _is_tested(row: Combination, published: Certificate) -> bool:
    """Whether a combination's network is one of the certificate's, or one of them for a longer time."""
    return any(
        all(
            _sort_key(value_text(row, name)) >= _sort_key(text)
            if name in _LONGER_IS_COVERED
            else value_text(row, name) == text
            for name, text in network.items()
        )
        for network in published.tested[kind(row)]
    )


def _uncovered_settings(sweep: PlannedSweep, row: Combination, published: Certificate) -> dict[str, str]:
    """A combination's settings that the certificate does not cover, with their values.

    The first checks return alone, because without them the others mean nothing.
    """
    if sweep.scenario != published.scenario:
        return {"scenario": sweep.scenario}
    if sweep.ns3_version != published.ns3:
        return {"ns-3": sweep.ns3_version}
    listed_values = published.among[str(row[CORRECTIONS])]
    if (preset := value_text(row, PRESET)) not in listed_values[PRESET]:
        return {PRESET: preset}
    if row.mix.is_mixed:  # also with Linux' TCP and QUIC
        return {"variant": row.variant}
    if kind(row) not in published.tested:
        return {"network": kind(row)}
    uncovered = {}
    for name in dict.fromkeys([*row, *_BOUNDED, *listed_values]):
        text = value_text(row, name)
        if name in _BOUNDED:
            values = [_sort_key(network[name]) for network in published.tested[kind(row)]]
            number = units.as_number(text)
            is_below_greatest = number is not None and (number <= max(values) or name in _LONGER_IS_COVERED)
            is_inside = number is not None and min(values) <= number and is_below_greatest
        else:
            is_inside = name in _ANY_VALUE or text in listed_values.get(name, [UNSET])
        if not is_inside:
            uncovered[name] = text
    return uncovered


def _total_counts(all_counts: Iterable[Counts]) -> Counts:
    totals: Counts = {}
    for counts in all_counts:
        for name, (equivalent, total) in counts.items():
            former = totals.get(name, (0, 0))
            totals[name] = (former[0] + equivalent, former[1] + total)
    return totals


def _equivalent_and_all(counts: Counts) -> tuple[int, int]:
    """The equivalent comparisons and all, over all metrics."""
    return sum(pair[0] for pair in counts.values()), sum(pair[1] for pair in counts.values())


def _verdict(
    variant: str, value: str, published: Certificate, kinds: Sequence[str], inside: Sequence[int]
) -> tuple[str, str]:
    """The sign and the words of a row, whose covered networks are of these kinds.

    ``inside`` is how many of the sweep's network conditions are covered, and how many there are.
    """
    if variant not in published.shares:
        return "–", "not compared with Linux"
    if value not in published.shares[variant]:
        return "–", f"not compared with `corrections: {value}`"
    if not inside[0]:
        return "–", "not compared in these network conditions"
    counts_by_kind = {name: published.shares[variant][value][name] for name in kinds}
    whole = _total_counts(counts_by_kind.values())
    if not any(total for _, total in whole.values()):
        return "–", "no metric could be compared in these network conditions"
    network_count = _compared_networks(counts_by_kind, published)
    where = "" if inside[0] == inside[1] else f", for {inside[0]} of {inside[1]} network conditions"
    words = f"{_share_in_words(whole)} comparisons in {network_count} tested networks are equivalent"
    words += strict_counts.interval_in_words(*_equivalent_and_all(whole)) + where
    too_few = {name: counts for name, counts in counts_by_kind.items() if not _has_enough_equivalent(counts)}
    if too_few and len(kinds) > 1:
        words += f"; {', '.join(f'{_share_in_words(counts)} with {name}' for name, counts in too_few.items())}"
    return "✗" if too_few else CERTIFIED, words


def _compared_networks(counts_by_kind: Mapping[str, Counts], published: Certificate) -> int:
    """The number of the certificate's networks in which a variant was compared, by its metric with most comparisons.

    A certificate's sweep may have other networks for other variants. It has several comparisons in a network if it also
    varies something else.
    """
    return sum(
        min(len(published.tested[name]), max((total for _, total in counts.values()), default=0))
        for name, counts in counts_by_kind.items()
    )


def _has_enough_equivalent(counts: Counts) -> bool:
    equivalent, total = _equivalent_and_all(counts)
    return total > 0 and equivalent >= ENOUGH * total


def _share_in_words(counts: Counts) -> str:
    equivalent, total = _equivalent_and_all(counts)
    return f"{equivalent} of {total}"


def _printed_name(row: _Row, rows: Sequence[_Row], names: Mapping[str, str]) -> str:
    """A row's variant for print, with its corrections if it has several, and in how many networks it was tested."""
    is_alone = sum(other.variant == row.variant for other in rows) == 1
    variant = printed_names.mix_name(row.variant, names)
    name = variant if is_alone else f"{variant} ({row.corrections})"
    where = "" if row.inside == row.networks else f" (for {row.inside} of {row.networks} here)"
    return f"{name} in {row.compared} networks{where}"


def remark(results: SweepResults) -> Remark | None:
    """The certified variants; None without any."""
    certified = section(results.swept)
    if not certified or not certified.names:
        return None
    names, more = certified.names[:MOST_NAMED], len(certified.names) - MOST_NAMED
    words = f"{CERTIFIED} certified: {', '.join(names)}{f' and {more} more' if more > 0 else ''}"
    if certified.is_earlier:
        words += ", earlier corrections"
    return Remark(words, "#certificate", is_good=True, in_picture=False)


SECTION = Section(
    "certificate", "features/certificate/report/certificate.html.jinja", lambda results: section(results.swept)
)

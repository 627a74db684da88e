# SPDX-License-Identifier: MIT
"""What of a combination is its network, and what goes with its variant.

A network is all but the variant and what is zipped with it: in such a network, variants are compared with each other,
each with the settings that it has in the whole sweep.
"""

from tcpsweep.sweep import axes, harm_combinations
from tcpsweep.sweep.axes import Axis
from tcpsweep.sweep.matching import Combination
from tcpsweep.sweep.sweep_record import Sweep


def of(sweep: Sweep) -> dict[str, Axis]:
    """The axes that tell networks apart, by name: those of `axes.of` but the variant and what goes with it."""
    return {name: axis for name, axis in shown(sweep).items() if name != "variant"}


def shown(sweep: Sweep) -> dict[str, Axis]:
    """The variant and the axes that tell networks apart, by name: those of `axes.of` but what goes with the variant."""
    return {name: axis for name, axis in axes.of(sweep).items() if name not in sweep.with_variant}


def places(sweep: Sweep) -> list[dict[str, str]]:
    """Each combination's network: the values of `texts` without the variant's."""
    return [{name: text for name, text in row.items() if name != "variant"} for row in texts(sweep)]


def texts(sweep: Sweep) -> list[dict[str, str]]:
    """Each combination's variant and network: the values of `axes.texts` without what goes with the variant.

    They tell a sweep's own combinations apart, and not those that `harm` adds.
    """
    if not sweep.with_variant:
        return axes.texts(sweep)
    return [{name: text for name, text in row.items() if name not in sweep.with_variant} for row in axes.texts(sweep)]


def keys(sweep: Sweep) -> list[str]:
    """For each combination a text that those in one network share, and no others."""
    without = beside_variant(sweep)

    def network(row: Combination) -> Combination:
        own = harm_combinations.network(row)
        return {name: value for name, value in own.items() if name not in without} if without else own

    return [harm_combinations.key(network(row)) for row in sweep.combinations]


def beside_variant(sweep: Sweep) -> frozenset[str]:
    """The names that may differ between a network's combinations, beside those of variants.

    They are what goes with the variant, and what is made of swept values: the attributes that a preset stands for, the
    links of a preset's network. Empty if nothing goes with the variant.
    """
    if not sweep.with_variant:
        return frozenset()
    first = sweep.own[0]
    made = {name for row in sweep.own for name in row.keys() | first.keys() if row.get(name) != first.get(name)}
    return frozenset({*sweep.with_variant} | made - sweep.axes.keys())


def said(sweep: Sweep) -> str:
    """What goes with the variants in a sentence, such as "TcpCubic has ecn false; TcpDctcp has ecn true."; or nothing.

    Variants with the same settings are named together.
    """
    rows: dict[str, Combination] = {}
    for row in sweep.own if sweep.with_variant else ():
        rows.setdefault(str(row["variant"]), row)
    alike: dict[str, list[str]] = {}
    for variant, row in rows.items():
        own = axes.said({name: axes.text(row, name) for name in sweep.with_variant})
        alike.setdefault(own, []).append(variant)
    parts = []
    for own, variants in alike.items():
        some = " and ".join(filter(None, (", ".join(variants[:-1]), variants[-1])))
        parts.append(f"{some} {'have' if len(variants) > 1 else 'has'} {own}")
    return f"{'; '.join(parts)}." if parts else ""

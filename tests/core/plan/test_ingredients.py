# SPDX-License-Identifier: MIT
"""What an ingredient adds to simulations reaches their ids and commands, and nothing else does."""

from pathlib import Path

import pytest

from tcpsweep.core.contact import features
from tcpsweep.core.contact.ingredient import Ingredient, Part
from tests.support.sweep_texts import cells

TEXT = "grid: {variant: [TcpCubic, TcpBbr]}\nruns: [1, 2]\n"


@pytest.fixture
def with_part(monkeypatch):
    """Plans the sweep with another ingredient, which adds a part to the simulations of CUBIC."""

    def planned(**part):
        def of_cubic(simulation):
            return Part(**part) if simulation.row["variant"] == "TcpCubic" else Part()

        ingredients = (*features.ingredients(), Ingredient(part=of_cubic))
        with monkeypatch.context() as patched:
            patched.setattr(features, "ingredients", lambda: ingredients)
            return cells(TEXT)

    return planned


@pytest.mark.parametrize(
    ("part", "changes_id", "added"),
    [
        ({}, False, []),
        ({"settings": {"toys": ["a", "b"]}}, True, ["--toys=a,b"]),
        ({"identity": {"toys": ["a", 1]}}, True, []),
        ({"arguments": ["--toys=a"]}, False, ["--toys=a"]),
        ({"libraries": [Path("toy.so")]}, False, ["--load=toy.so"]),
        ({"idle": ["no_parameter"]}, False, []),
        ({"builds": [Path("toy")]}, False, []),
    ],
)
def test_a_part_is_in_the_ids_and_commands_of_its_combinations(with_part, part, changes_id, added):
    before, now = cells(TEXT), with_part(**part)
    assert now[2:] == before[2:]  # of the other variant
    assert [cell.id != other.id for cell, other in zip(now[:2], before[:2], strict=True)] == [changes_id] * 2
    for cell, other in zip(now, before, strict=True):
        assert set(cell.arguments) - set(other.arguments) == set(added if cell in now[:2] else [])
    assert now[0].shared.builds == tuple(part.get("builds", ()))


def test_the_order_of_ingredients_changes_no_id_and_no_command(monkeypatch):
    before = cells(TEXT)
    backwards = features.ingredients()[::-1]
    monkeypatch.setattr(features, "ingredients", lambda: backwards)
    now = cells(TEXT)
    assert [(cell.id, cell.arguments) for cell in now] == [(cell.id, cell.arguments) for cell in before]

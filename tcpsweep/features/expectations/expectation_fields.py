# SPDX-License-Identifier: MIT
"""The key `expect`."""

from typing import Annotated, TypeAlias

from pydantic import Field, StringConstraints

from tcpsweep.core.contact.fields import Either, Fields


class NamedExpectation(Fields):
    """An expectation, `METRIC [of VARIANT] OP VALUE [where NAME OP VALUE and …]`, with a name."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    that: Annotated[str, StringConstraints(min_length=1, max_length=1000)]


Expectation: TypeAlias = Annotated[
    NamedExpectation | Annotated[str, StringConstraints(min_length=1, max_length=1000)], Either("object")
]


class ExpectationFields(Fields):
    """What the sweep must show, or it fails."""

    expect: Annotated[Annotated[list[Expectation], Field(min_length=1)] | Expectation, Either("array")] | None = None
    """What the sweep must show, or it fails: texts such as `jain >= 0.9 where flows == 2`, or {name, that}. One, or a
    list.
    """

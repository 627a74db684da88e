# SPDX-License-Identifier: MIT
"""Text in CSV that a spreadsheet would read as a formula: an apostrophe before it keeps it text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_LIKE_FORMULA = r"^[=+\-@\t\r]"
# Texts that begin like a formula but are not one: a number, or only a sign.
_NUMBER = r"^[+\-]?(?:[0-9]*\.?[0-9]+(?:[eE][+\-]?[0-9]+)?|inf|NaN)?$"


def harmless(frame: pl.DataFrame) -> pl.DataFrame:
    """A table for CSV: with an apostrophe before ``=``, ``+``, ``-`` and ``@``."""
    import polars as pl

    names = [name for name, kind in frame.schema.items() if kind in (pl.String, pl.Categorical, pl.Enum)]
    texts = [pl.col(name).cast(pl.String) for name in names]
    are_formulas = [text.str.contains(_LIKE_FORMULA) & ~text.str.contains(_NUMBER) for text in texts]
    both = zip(texts, are_formulas, strict=True)
    return frame.with_columns(pl.when(is_one).then("'" + text).otherwise(text).name.keep() for text, is_one in both)


def as_it_was(frame: pl.LazyFrame) -> pl.LazyFrame:
    """The original table, from the output of `harmless`."""
    import polars as pl

    return frame.with_columns(pl.col(pl.String).str.replace(r"^'([=+\-@\t\r])", "$1"))

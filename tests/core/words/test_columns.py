# SPDX-License-Identifier: MIT
from tcpsweep.core.words import column_meanings, table_columns


def test_every_column_and_trace_says_what_it_holds():
    assert list(column_meanings.COLUMNS) == list(table_columns.COLUMNS)
    for table, meanings in column_meanings.COLUMNS.items():
        assert list(meanings) == list(table_columns.schema(table))
    assert tuple(column_meanings.TRACES) == table_columns.TRACES

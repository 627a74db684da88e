# SPDX-License-Identifier: MIT
"""The tables that `tcpsweep export` takes and describes."""

from tcpsweep.applications.archive import data_package, exported_columns
from tcpsweep.command_line import for_people


def test_each_exported_table_can_be_chosen():
    """The table metrics comes with the others."""
    assert [*for_people._TABLES, "metrics"] == list(exported_columns.TABLES)


def test_each_table_with_metrics_in_rows_refers_to_the_table_of_metrics():
    """A row of the table flows is a flow, with a column per metric."""
    assert {*data_package._LONG, "flows", "metrics"} == {*exported_columns.TABLES}

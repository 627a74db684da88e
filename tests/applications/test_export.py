# SPDX-License-Identifier: MIT
"""The tables that `tcpsweep export` takes and describes."""

from tcpsweep.applications.archive import data_package, exported_columns
from tcpsweep.command_line import for_people


def test_each_exported_table_can_be_chosen_and_refers_to_the_table_of_metrics_where_it_has_such_in_rows():
    # The table metrics comes with the others; a row of the table flows is a flow, with a column per metric.
    assert [*for_people._TABLES, "metrics"] == list(exported_columns.TABLES)
    assert {*data_package._LONG, "flows", "metrics"} == {*exported_columns.TABLES}

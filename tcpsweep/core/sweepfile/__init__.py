# SPDX-License-Identifier: MIT
"""Read a sweep file, check it, and expand it to a sweep.

Three names mean the same in all functions here. ``data`` is the content of a `yaml_document.Document`. Unless a
function says otherwise, `schema_check.problems` found no problem in it. ``row`` is one combination, with every
parameter in its normal form. ``path`` is the place of a value in the file. Functions called ``problems`` return the
problems that they find.
"""

# SPDX-License-Identifier: MIT
"""What a person perhaps meant who wrote a distribution of sizes that is none, and no file either."""

import difflib
import re

from tcpsweep.words import normal_forms

_CALLED = re.compile(r"([A-Za-z][A-Za-z_-]*)(?:\s*[:(,]\s*(.*?)\)?)?\s*")
# As the schema has them.
_FORMS = {
    "constant": "constant:BYTES",
    "exponential": "exponential:MEAN",
    "pareto": "pareto:MEAN:SHAPE",
    "lognormal": "lognormal:MEAN:DEVIATION:LEAST:MOST",
}
_ALIKE = 0.75


def meant(value: str) -> str:
    """The end of a message on a value that looks like a distribution; empty for one that is rather a file's name.

    Parameters
    ----------
    value : str
        As written, such as ``exponental:20kB`` or ``exponential(20kB)``.
    """
    called = _CALLED.fullmatch(value)
    if not called:
        return ""
    near = difflib.get_close_matches(called[1].lower(), _FORMS, n=1, cutoff=_ALIKE)
    if not near:
        is_file = called[2] is None
        return "" if is_file else f" is neither a file nor a distribution; expected {', '.join(_FORMS.values())}"
    numbers = [each for each in re.split(r"[\s:,]+", called[2] or "") if each]
    likely = ":".join([near[0], *numbers])
    try:
        normal_forms.sizes_file(likely)
    except ValueError:
        return f" is no file, and a distribution is written {_FORMS[near[0]]}"
    if not numbers:
        return f" is no file, and a distribution is written {_FORMS[near[0]]}"
    return f" is neither a file nor a distribution; did you mean '{likely}', as {_FORMS[near[0]]}?"

# SPDX-License-Identifier: MIT
"""How far a sweep that goes in rounds is after one, for the terminal: what each thing that it asks for has to say."""

from pathlib import Path

from tcpsweep.terminal import precision_words, refinement_words, search_words


def text(folder: Path, is_ended: bool) -> str:
    """The words on precision and on open axes; empty if the sweep asks for neither.

    Parameters
    ----------
    folder : Path
        The sweep's.
    is_ended : bool
        Whether no round follows.
    """
    said = (precision_words.text(folder), refinement_words.text(folder), search_words.text(folder, is_ended))
    return "\n".join(f"tcpsweep: {words}" for words in said if words)

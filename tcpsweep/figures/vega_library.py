# SPDX-License-Identifier: MIT
"""The JavaScript library that draws Vega-Lite charts in a browser, to stand in a page or beside it."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

VL_VERSION = "6.4"


def script() -> Markup:
    """Vega, Vega-Lite and Vega-Embed as one script, which sets ``vegaEmbed``, ``vega`` and ``vegaLite``.

    Before it are the libraries' licences, and those of what else stands in pages.
    """
    import vl_convert

    # The stub demands a snippet; without one the bundle sets the three names.
    text = vl_convert.javascript_bundle(vl_version=VL_VERSION)  # type: ignore[call-arg]
    licences = (Path(__file__).parent / "library_licences.txt").read_text(encoding="utf-8")
    text = f"/*!\n{licences}*/\n{text}"
    # Escape what would end the element that it stands in.
    return Markup(text.replace("</script", "<\\/script").replace("<!--", "<\\!--"))

# SPDX-License-Identifier: MIT
"""The JavaScript library that draws Vega-Lite charts in a browser, within a page or as a file next to it."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

VL_VERSION = "6.4"


def script() -> Markup:
    """Vega, Vega-Lite and Vega-Embed as one script, which sets ``vegaEmbed``, ``vega`` and ``vegaLite``.

    It begins with the licences of these libraries and of the other code in pages.
    """
    import vl_convert

    # The stub demands a snippet; without one the bundle sets the three names.
    text = vl_convert.javascript_bundle(vl_version=VL_VERSION)  # type: ignore[call-arg]
    text = f"/*!\n{licences()}*/\n{text}"
    # Escape text that would end the script's element.
    return Markup(text.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def licences() -> str:
    """The licences of the code in pages."""
    return (Path(__file__).parent / "library_licences.txt").read_text(encoding="utf-8")

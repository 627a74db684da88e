# SPDX-License-Identifier: MIT
"""The script that draws Vega-Lite charts in a browser, to stand in a page or beside it."""

from markupsafe import Markup

VL_VERSION = "6.4"


def bundle():
    """Vega, Vega-Lite and Vega-Embed as one script, which sets ``vegaEmbed``, ``vega`` and ``vegaLite``."""
    import vl_convert

    script = vl_convert.javascript_bundle(vl_version=VL_VERSION)
    # What would end the element that it stands in.
    return Markup(script.replace("</script", "<\\/script").replace("<!--", "<\\!--"))

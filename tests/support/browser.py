# SPDX-License-Identifier: MIT
"""Pages in a real browser without a network: what a script sees in them, and what their console says."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path

from tests.support.tools import PATIENCE_S, tool

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --enable-logging=stderr --virtual-time-budget=20000 "
    "--host-resolver-rules=MAP*~NOTFOUND --allow-file-access-from-files"
)
NARROWEST = 500  # no window of Chromium's is narrower; a frame may be


def look(page, script, folder, width=1200, hash="", dark=False):
    """Open a page and return what a script's promise gives, as JSON would hold it; fails the test on a console message.

    Parameters
    ----------
    page : Path
    script : str
        The body of an asynchronous function; ``choose(name, value)`` changes a control and waits for its figure.
    folder : Path
        For the copy with the script, beside the page unless its links do not matter, and the browser's own files.
    width : int
        The window's, in pixels.
    hash : str
        What follows the page's address, with its "#".
    dark : bool
        Whether the system's colours are dark.
    """
    text = Path(page).read_text(encoding="utf-8")
    end = text.rindex("</body>")
    probe = Path(page).with_name("probe.html")
    probe.write_text(f"{text[:end]}<script>{_PROBE % script}</script>{text[end:]}", encoding="utf-8")
    if width < NARROWEST:
        probe.with_name("framed.html").write_text(_FRAME % width, encoding="utf-8")
        probe = probe.with_name("framed.html")
    flags = [*FLAGS.split(), *(["--blink-settings=preferredColorScheme=0"] if dark else [])]
    command = [tool("chromium"), *flags, f"--user-data-dir={folder / 'profile'}", f"--window-size={width},900"]
    done = subprocess.run(
        [*command, "--dump-dom", probe.resolve().as_uri() + hash], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert not (said := re.findall(r"CONSOLE.*", done.stderr)), said
    found = json.loads(unescape(re.search(r"<title>(.*?)</title>", done.stdout, re.DOTALL)[1]))
    assert "failed" not in found, found["failed"]
    return found["seen"]


_PROBE = """
(async () => {
  const until = async (ready) => { while (!ready()) await new Promise((next) => setTimeout(next, 20)); };
  await until(() => document.readyState === "complete");  // scripts that are deferred have run
  const explorer = document.getElementById("explorer"), plot = explorer?.querySelector(".chart");
  const choose = async (name, value) => {
    const control = [...explorer.querySelectorAll("select")].find((select) => select.name === name);
    const before = plot.dataset.drawn;
    control.value = value;
    control.dispatchEvent(new Event("change"));
    await until(() => plot.dataset.drawn !== before);
  };
  if (explorer) await until(() => plot.dataset.drawn);
  %s
})().then((seen) => { document.title = JSON.stringify({ seen }); },
          (error) => { document.title = JSON.stringify({ failed: String(error) }); });
"""
_FRAME = """
<!doctype html><title></title><iframe src="probe.html" width="%d" height="900"></iframe>
<script>
  const frame = document.querySelector("iframe");
  const title = () => frame.contentDocument?.title ?? "";
  setInterval(() => { if (title().startsWith("{")) document.title = title(); }, 20);
</script>
"""

# SPDX-License-Identifier: MIT
"""`tcpsweep kernel build` and `tcpsweep kernel list`: Linux kernels in whose virtual time simulations run."""

from pathlib import Path
from typing import Any

from tcpsweep.core.command_line.terminal.say import say
from tcpsweep.core.sweep import assignment
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.features.linux import kernel, kernel_build, kernel_source
from tcpsweep.features.linux.kernel_source import NoKernel


def build(source_name: str | None, name: str | None = None) -> None:
    """Build a kernel, unless it was built, and print its release.

    ``source_name`` is its source, as `kernel_source.find` takes it; None for the newest package that is installed.
    ``name`` is a name for it in sweep files. Raises `NoKernel`.
    """
    if name:
        kernel_build.check_name(name)
    kernel_build.check_tools()
    packages = kernel_source.installed()
    if source_name is None and not packages:
        raise NoKernel("no kernel source is installed; to install one: `apt-get install linux-source`")
    linux = kernel_build.make(kernel_source.find(source_name or packages[-1]))
    if name:
        kernel_build.give_name(linux, name)
    say(f"{linux.built.release} in {linux.folder}")


def build_if_asked(sweep: Path) -> None:
    """Build the first kernel if a sweep file asks for Linux' TCP, from the newest package that is installed.

    Without such a package, the check of the sweep file says what to do. Raises `NoKernel`.
    """
    try:
        data = yaml_document.read(sweep).data
    except yaml_document.Mistakes:  # which planning reports
        return
    if _asks_for_linux(data) and not kernel.built() and kernel_source.installed():
        build(None)
        kernel.built.cache_clear()


def _asks_for_linux(content: Any, key: str = "") -> bool:
    """Whether `stack: linux` or a variant such as `linux:cubic` is anywhere in a part of a sweep file under a key."""
    if isinstance(content, dict):
        return any(_asks_for_linux(value, str(name)) for name, value in content.items())
    if isinstance(content, list):
        return any(_asks_for_linux(value, key) for value in content)
    is_stack = key == "stack" and content == assignment.OF_KERNEL
    return is_stack or (key.endswith("variant") and f"{assignment.OF_KERNEL}:" in str(content))


def show_all() -> None:
    """List the kernels that were built: names for sweep files, release, size, and the source."""
    kernels = kernel_build.all_built()
    damaged = kernel_build.damaged()
    if not kernels and not damaged:
        say("no kernels; `tcpsweep kernel build` makes one")
    for linux in kernels:
        names = ", ".join([*linux.names, f"linux-{linux.built.release}"])
        say(f"{names}  {linux.built.size / 1e6:.0f} MB  from {linux.built.source}")
    for sentence in damaged:
        say(sentence)

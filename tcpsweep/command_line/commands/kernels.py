# SPDX-License-Identifier: MIT
"""`tcpsweep kernel build` and `tcpsweep kernel list`: Linux kernels in whose virtual time simulations run."""

from tcpsweep.linux import kernel_build, kernel_source
from tcpsweep.linux.kernel_source import NoKernel


def build(named: str | None, name: str | None = None) -> None:
    """Build a kernel, unless it was built, and print its release.

    ``named`` is its source, as `kernel_source.find` takes it; None for the newest package that is installed. ``name``
    is a name for it in sweep files. Raises `NoKernel`.
    """
    if name:
        kernel_build.check_name(name)
    kernel_build.check_tools()
    packages = kernel_source.installed()
    if named is None and not packages:
        raise NoKernel("no kernel source is installed; to install one: `apt-get install linux-source`")
    found = kernel_build.make(kernel_source.find(named or packages[-1]))
    if name:
        kernel_build.give_name(found, name)
    print(f"{found.built.release} in {found.folder}")


def show_all() -> None:
    """List the kernels that were built: names for sweep files, release, size, and the source."""
    kernels = kernel_build.all_built()
    if not kernels:
        print("no kernels; `tcpsweep kernel build` makes one")
    for each in kernels:
        names = ", ".join([*each.names, f"linux-{each.built.release}"])
        print(f"{names}  {each.built.size / 1e6:.0f} MB  from {each.built.source}")

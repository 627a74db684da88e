# SPDX-License-Identifier: MIT
"""`tcpsweep kernel build` and `tcpsweep kernel list`: Linux kernels in whose virtual time simulations run."""

from tcpsweep.linux import kernel_build, kernel_source
from tcpsweep.linux.kernel_source import NoKernel


def build(named: str | None) -> None:
    """Build a kernel, unless it was built, and print its release.

    ``named`` is its source, as `kernel_source.find` takes it; None for the newest package that is installed. Raises
    `NoKernel`.
    """
    kernel_build.check_tools()
    packages = kernel_source.installed()
    if named is None and not packages:
        raise NoKernel("no kernel source is installed; to install one: `apt-get install linux-source`")
    found = kernel_build.make(kernel_source.find(named or packages[-1]))
    print(f"{found.built.release} in {found.folder}")


def show_all() -> None:
    """List the kernels that were built: release, size, and the source."""
    kernels = kernel_build.all_built()
    if not kernels:
        print("no kernels; `tcpsweep kernel build` makes one")
    for each in kernels:
        print(f"{each.built.release}  {each.built.size / 1e6:.0f} MB  from {each.built.source}")

# SPDX-License-Identifier: MIT
"""Linux kernels as builds for all sweeps of a user."""

from pathlib import Path

from tcpsweep.core.contact.build import Build
from tcpsweep.core.plan import build_users
from tcpsweep.features.linux import kernel, kernel_build


def unneeded() -> dict[str, list[Path]]:
    """The folders of kernels that no sweep's latest plan uses, in any ``results/``. The newest kernel is left out."""
    kernels = kernel_build.all_built()[:-1]
    unused = [linux.folder for linux in kernels if not _sweeps_with(linux)]
    return {"Linux kernels": unused}


def _sweeps_with(linux: kernel_build.Found) -> list[Path]:
    def has_command(sweep: Path) -> bool:
        commands = sweep / build_users.COMMANDS
        option = f"{kernel.OPTION}{linux.built.release}"
        return commands.is_file() and option in commands.read_text(encoding="utf-8")

    return build_users.noted_sweeps(linux.folder, has_command)


BUILD = Build(
    unneeded,
    hindrance=lambda name: kernel.find(name).hindrance,
    lend=kernel_build.lend,
)

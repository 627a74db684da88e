# SPDX-License-Identifier: MIT
"""Put into a wheel what a clone has next to the package: the rules, the scenarios and the files that they read.

`tcpsweep/core/identity/source_folders.py` finds them there. An editable installation, as envs/setup.sh makes one, uses
the clone's own.
"""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CLONE = Path(__file__).resolve().parent
BUNDLED = ["Snakefile", "rules", "profiles", "config", "ns3-scenarios", "quic-stacks", "LICENSE", "LICENSES"]
LOCKS = ["ns3.txt", "requirements.txt", "build.txt"]


class BuildWithProject(build_py):
    """Build the package, and copy the project's other folders into it."""

    def run(self) -> None:
        """Build as usual; for a wheel, add the folders and the commit that they are of."""
        super().run()
        if self.editable_mode:
            return
        project = Path(self.build_lib, "tcpsweep", "project")
        ignored = shutil.ignore_patterns("__pycache__", ".*")
        for name in BUNDLED:
            if (source := CLONE / name).is_dir():
                shutil.copytree(source, project / name, ignore=ignored, dirs_exist_ok=True)
            else:
                project.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, project)
        (project / "envs").mkdir(exist_ok=True)
        for name in LOCKS:
            shutil.copy(CLONE / "envs" / name, project / "envs")
        sys.path.insert(0, str(CLONE))
        from tcpsweep.core.identity import release

        (project / release.ARCHIVAL).write_text(f"describe: {release.described(CLONE)}\n", encoding="utf-8")


setup(cmdclass={"build_py": BuildWithProject})

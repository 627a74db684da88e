# SPDX-License-Identifier: MIT
"""The contents of a sweep's archive, and their paths.

Results and report keep their relative paths, so that `tcpsweep.open("NAME", FOLDER)` reads an unpacked archive like
any other folder. The sweep file and the files that it names keep their relative paths too.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tcpsweep.core.identity import cpp_code, source_folders
from tcpsweep.core.store import layout, links
from tcpsweep.core.sweep.sweep_record import PlannedSweep
from tcpsweep.core.sweepfile.document import yaml_document
from tcpsweep.core.words.user_error import UserError

STUDY = "study"  # the sweep file and the files that it names
ENVIRONMENT = "environment"
SCENARIOS = "ns3-scenarios"  # the sources of the C++ programs, including the variants' programs
METADATA = "ro-crate-metadata.json"
README = "README.md"
_LOCKS = ("requirements.txt", "ns3.txt")
# The files in a sweep's folder that belong to the run that made it, not to its results.
_RUN_FILES = (layout.JOBS, "logs", "code", "origin")


@dataclass(frozen=True)
class Contents:
    """The contents of an archive."""

    sweep_file: str  # the sweep file's path in the archive
    files: dict[str, Path] = field(default_factory=dict)  # each path in the archive to the file that it is a copy of
    # Folders of the archive that are described as a whole, each with a description of its contents.
    folders: dict[str, str] = field(default_factory=dict)


def archive_contents(sweep: PlannedSweep, folder: Path, sweep_file: Path | None) -> Contents:
    """The contents of the archive of a sweep, whose folder lies in ``results/sweeps/``.

    Without a sweep file, its copy in the folder is used if it names no files. Raises `UserError` if files that it names
    could not be found after an archive is unpacked, or if a link may lead to files from elsewhere.
    """
    root = folder.parents[len(layout.SWEEPS.parts)]
    links.refuse(folder)
    file = sweep_file or folder / "sweep.yaml"
    study_folder, study_files = _study(sweep, file, has_home=sweep_file is not None)
    contents = Contents(str(study_folder / file.name), study_files)
    contents.folders[f"{STUDY}/"] = "The sweep file and the files that it names."
    for path in _below(folder):
        top = path.relative_to(folder).parts[0]
        if top not in _RUN_FILES and not top.startswith("."):
            contents.files[path.relative_to(root).as_posix()] = path
    contents.folders[f"{layout.SWEEPS.as_posix()}/{folder.name}/"] = (
        "Tables over all cells, as Parquet, CSV, Markdown and LaTeX, and figures."
    )
    for run in sweep.cells:
        links.refuse(root / layout.CELLS / run.cell)
        for part in (sweep.parquet(run.cell), sweep.measured(run)):
            if not (root / part).is_dir():
                raise UserError(f"{run.cell} has no result: run the sweep to its end first")
            for path in sorted((root / part).iterdir()):
                if path.is_file():
                    contents.files[path.relative_to(root).as_posix()] = path
    contents.folders[f"{layout.CELLS.as_posix()}/"] = (
        "A folder for each cell, which is one simulation: traces, queue, flows and metrics as Parquet, with digests."
    )
    reports = root / layout.REPORTS
    links.refuse(*(reports / f"{sweep.name}{end}" for end in (".html", ".png", "_files")))
    pages = [reports / f"{sweep.name}.html", reports / f"{sweep.name}.png", *_below(reports / f"{sweep.name}_files")]
    contents.files.update({path.relative_to(root).as_posix(): path for path in pages if path.is_file()})
    for name in _LOCKS:
        contents.files[f"{ENVIRONMENT}/{name}"] = source_folders.ROOT / "envs" / name
    contents.files.update(_sources(sweep))
    contents.folders[f"{SCENARIOS}/"] = (
        "The sources of the scenario's program and of variants, all that their ids name."
    )
    return contents


def _variants_here(sweep: PlannedSweep) -> list[str]:
    """The programs of the sweep's variants whose code is in the folder of the scenarios' code."""
    return [f"variants/{name}" for name in sweep.variants if name not in sweep.variant_files]


def _sources(sweep: PlannedSweep) -> dict[str, Path]:
    """All files that the identities of the scenario's program and of the sweep's own variants name."""
    root = source_folders.SCENARIOS
    programs = [sweep.program or sweep.scenario, *_variants_here(sweep)]
    names = {name for program in programs for name in cpp_code.cpp_sources(program)}
    names |= {f"{program}.modules" for program in programs if (root / f"{program}.modules").is_file()}
    return {f"{SCENARIOS}/{name}": root / name for name in sorted({*names, "CMakeLists.txt"})}


def _study(sweep: PlannedSweep, file: Path, has_home: bool) -> tuple[PurePosixPath, dict[str, Path]]:
    """The sweep file's folder in the archive, and the files in `STUDY`, each where the sweep file will look for it."""
    paths = {name: Path(input_file.path) for name, input_file in sweep.inputs.items()}
    possible_homes = [file.parent] if has_home else []
    if sweep.scenario.endswith((".yaml", ".yml")):
        if not has_home:
            raise UserError(f"{sweep.name} uses the network preset {sweep.scenario}: give the sweep file itself")
        preset = str(yaml_document.read(file).data["scenario"])  # from the file's folder; the record has it from here
        paths[preset] = file.parent / preset
        possible_homes.append(paths[preset].parent)
    if sweep.variant_files and not has_home:
        raise UserError(f"{sweep.name} names variants by their files: give the sweep file itself")
    code_beside = _code_beside(sweep)
    for path in code_beside.values():
        if not any(path.resolve().is_relative_to(folder) for folder in (Path.cwd(), file.parent.resolve())):
            raise UserError(
                f"{sweep.name}: a variant's file includes {path}, which is not below this folder: copy it here"
            )
    paths |= code_beside
    outside = [name for name in paths if Path(name).is_absolute() or name.startswith("~")]
    if outside:
        raise UserError(
            f"{file} names {outside[0]}, which an unpacked archive lacks: write a path relative to the sweep file"
        )
    for name, path in paths.items():
        if name not in code_beside:
            _check_place(sweep, name, path, possible_homes)
    steps_up = max((_steps_up(name) for name in paths), default=0)
    study_folder = PurePosixPath(STUDY, *(f"level-{number}" for number in range(1, steps_up + 1)))
    path_in_archive = {str(study_folder / file.name): file}
    for name, path in paths.items():
        path_in_archive[os.path.normpath(study_folder / name)] = path
    return study_folder, path_in_archive


def _check_place(sweep: PlannedSweep, name: str, path: Path, possible_homes: Sequence[Path]) -> None:
    """Raise `UserError` if a file is not in the place that the sweep file names, from one of ``possible_homes``.

    The record of the sweep, which may come from others, names the file. Without such folders, it has to be below the
    working folder.
    """
    real = path.resolve()
    if not possible_homes and not (real.is_relative_to(Path.cwd()) and real == Path(os.path.abspath(path))):  # noqa: PTH100
        raise UserError(f"{sweep.name} names {name}, which is not below this folder: give the sweep file itself")
    if possible_homes and str(real) not in {os.path.normpath(home.resolve() / name) for home in possible_homes}:
        raise UserError(f"{path} is not where the sweep file names {name}: put a copy there, not a link, and run again")


def _code_beside(sweep: PlannedSweep) -> dict[str, Path]:
    """The files that the variants' files include with quotes, each as the sweep file would name it."""
    path_by_name: dict[str, Path] = {}
    for name, input_file in sweep.inputs.items():
        if name.endswith(".cc"):
            variant_folder, without_suffix = Path(input_file.path).parent, Path(input_file.path).with_suffix("")
            included_paths = (
                PurePosixPath(included)
                for included in cpp_code.cpp_sources(str(without_suffix))
                if included.startswith("variants/")
            )
            for source in included_paths:
                path = variant_folder / source.relative_to("variants")
                path_by_name[os.path.normpath(Path(name).parent / os.path.relpath(path, variant_folder))] = path
    return path_by_name


def _steps_up(name: str) -> int:
    """How many folders above its own a relative path leads at most."""
    steps = most_steps = 0
    for part in Path(name).parts:
        steps += 1 if part == ".." else -1
        most_steps = max(most_steps, steps)
    return most_steps


def _below(folder: Path) -> Iterator[Path]:
    """All files in a folder and below, in an order that is always the same."""
    yield from (path for path in sorted(folder.rglob("*")) if path.is_file())

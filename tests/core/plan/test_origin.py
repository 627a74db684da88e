# SPDX-License-Identifier: MIT
"""If two sweep files have the same name, they share a folder and a report: the second prints a warning."""

from tcpsweep.core.plan import sweep_files


def test_another_file_of_the_same_name_is_told_as_long_as_it_has_that_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "results/sweeps/mine"
    first, second = tmp_path / "first.yaml", tmp_path / "second.yaml"
    for file in (first, second):
        file.write_text("sweep: mine\n")
    assert sweep_files.replaced_file(folder, first) is None
    sweep_files.note_origin(folder, first)
    assert sweep_files.replaced_file(folder, first) is None
    assert sweep_files.replaced_file(folder, second).samefile(first)
    first.write_text("sweep: other\n")
    assert sweep_files.replaced_file(folder, second) is None
    first.write_text("sweep: mine\n")
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for each in (folder.parents[1], first, second):
        each.rename(moved / each.name)
    monkeypatch.chdir(moved)
    assert sweep_files.replaced_file(moved / "results/sweeps/mine", moved / "second.yaml").samefile(
        moved / "first.yaml"
    )

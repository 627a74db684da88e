# SPDX-License-Identifier: MIT
"""Sweep files that name an ns-3."""

import pytest


@pytest.fixture
def sweep_file(tmp_path, monkeypatch):
    """Writes a sweep file with an ``ns3`` into a folder that is not the working folder; returns its path."""
    monkeypatch.setenv("TCPSWEEP_BUILD", str(tmp_path / "build"))

    def write(ns3):
        path = tmp_path / "sweeps" / "sweep.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"sweep: s\nscenario: dumbbell\nns3: {ns3}\n")
        return path

    return write

# SPDX-License-Identifier: MIT
"""The profile for a cluster replaces the default one, so it must repeat what both need."""

import re

import pytest
import yaml

from tests.support.tools import ROOT

PROFILES = {path.parent.name: path for path in ROOT.glob("profiles/*/config.yaml")}
DIFFER = {"latency-wait"}  # of a file system that is shared


def test_the_profile_for_slurm_repeats_the_default_one():
    default, slurm = (yaml.safe_load(PROFILES[name].read_text()) for name in ("default", "slurm"))
    assert default.keys() <= slurm.keys()
    assert {key for key in default if slurm[key] != default[key]} == DIFFER


@pytest.mark.parametrize("profile", PROFILES)
def test_every_entry_has_its_reason_beside_it(profile):
    """Or shares one with those below it."""
    for group in PROFILES[profile].read_text().split("\n\n")[1:]:
        entries = re.findall(r"^[\w-]+:", group, re.MULTILINE)
        assert not entries or group.startswith("#"), group

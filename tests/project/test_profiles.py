# SPDX-License-Identifier: MIT
"""A profile for a cluster replaces the default one, so it must repeat the settings that both need."""

import re

import pytest
import yaml

from tests.support.tools import ROOT

PROFILES = {path.parent.name: path for path in ROOT.glob("profiles/*/config.yaml")}
DIFFER = {"latency-wait"}  # of a file system that is shared


@pytest.mark.parametrize("name", sorted(PROFILES.keys() - {"default"}))
def test_a_profile_for_a_cluster_repeats_the_default_one(name):
    default, other = (yaml.safe_load(PROFILES[each].read_text()) for each in ("default", name))
    assert default.keys() <= other.keys()
    assert {key for key in default if other[key] != default[key]} == DIFFER


@pytest.mark.parametrize("profile", PROFILES)
def test_every_entry_has_a_comment_with_its_reason(profile):
    """Or shares one with those below it."""
    for group in PROFILES[profile].read_text().split("\n\n")[1:]:
        entries = re.findall(r"^[\w-]+:", group, re.MULTILINE)
        assert not entries or group.startswith("#"), group

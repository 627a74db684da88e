# SPDX-License-Identifier: MIT
"""The networks of the certificate and of its judge: a box's corners, and networks drawn at random in the box."""

import itertools

import yaml

from benchmarks import judge
from tests.support.tools import ROOT


def networks(name):
    by_parameter = yaml.load((ROOT / "config" / name).read_text(), Loader=yaml.BaseLoader)["zip"]
    return [dict(zip(by_parameter, values, strict=True)) for values in zip(*by_parameter.values(), strict=True)]


def test_the_judges_networks_are_those_that_the_seed_gives():
    assert networks("certificate-judge.yaml") == judge.networks()


def test_a_parameter_has_a_network_in_each_part_of_its_range():
    """A Latin hypercube: each twentieth of a logarithmic range has one network, to the digits that the file has."""
    count = len(judge.KINDS)
    for name, unit, digit in (("bandwidth", "Mbps", 0.1), ("delay", "ms", 1)):
        low, high = judge.BOX[name]
        values = sorted(float(network[name].removesuffix(unit)) for network in judge.networks())
        for place, value in enumerate(values):
            start, end = (low * (high / low) ** (part / count) for part in (place, place + 1))
            assert start - digit / 2 <= value <= end + digit / 2


def test_the_certificate_has_all_corners_of_the_judges_box_for_as_long_but_those_whose_differences_were_examined():
    box = (*judge.BOX.values(), (judge.FLOWS[0], judge.FLOWS[-1]))
    corners = list(itertools.product(*box))
    assert corners[:3] == [(4, 10, 0.5, 1), (4, 10, 0.5, 4), (4, 10, 3, 1)]  # docs/features/certificate.md
    corners[:3] = [(5, *rest) for _, *rest in corners[:3]]
    not_steady = ((5, 10, 3, 1), (12, 25, 3, 4))
    rows = networks("certificate.yaml")
    for row, (mbps, delay_ms, bdp, flows) in zip(rows, corners, strict=True):
        path = {"bandwidth": f"{mbps}Mbps", "delay": f"{delay_ms}ms", "queue": f"{bdp}bdp", "flows": f"{flows}"}
        least_s = judge.TEN_PROBES_S if (mbps, delay_ms, bdp, flows) in not_steady else judge.MEASURED_S
        assert (path | judge.times(mbps, delay_ms, bdp, flows, least_s)).items() <= row.items()

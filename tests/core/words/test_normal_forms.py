# SPDX-License-Identifier: MIT
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcpsweep.core.words import normal_forms, quantity_forms, units


@pytest.mark.parametrize(
    ("written", "kind", "normal"),
    [
        ("5Mbps", "rate", "5Mbps"),
        ("5000kbps", "rate", "5Mbps"),
        ("5e6bps", "rate", "5Mbps"),
        ("0.625MB/s", "rate", "5Mbps"),
        ("1Mib/s", "rate", "1.048576Mbps"),
        ("1500bps", "rate", "1.5kbps"),
        ("20ms", "time", "20ms"),
        ("0.02s", "time", "20ms"),
        ("2e-2s", "time", "20ms"),
        ("1min", "time", "60s"),
        ("0ms", "time", "0s"),
        ("100p", "queue-size", "100p"),
        ("64kB", "queue-size", "64000B"),
        ("1KiB", "queue-size", "1024B"),
        ("1.50bdp", "queue-size", "1.5bdp"),
        ("4MiB", "auto-or-bytes", 4194304),
        ("auto", "auto-or-time", "auto"),
        ("ns3::TcpCubic+TcpBbr", "variant", "TcpCubic+TcpBbr"),
        (1.0, None, 1),
        (1e-3, None, 0.001),
        (["1ms", "0.001s"], "time", "1ms"),
        (["1ms", "5ms"], "time", ["1ms", "5ms"]),
    ],
)
def test_equal_values_have_one_normal_form(written, kind, normal):
    assert normal_forms.normal(written, kind) == normal


@pytest.mark.parametrize(
    ("written", "kind", "hint"),
    [
        ("10mbps", "rate", "did you mean '10Mbps'?"),
        ("10Mpbs", "rate", "did you mean '10Mbps'?"),
        (10, "rate", "a unit is missing: did you mean '10Mbps'?"),
        ("20m", "time", "expected a time, such as 20ms"),
        (True, "time", "expected a time"),
        ("0.5ns", "time", "whole number of nanoseconds"),
        ("0bps", "rate", "above zero"),
        ("1.5bps", "rate", "whole number of bit/s"),
        ("0s", "duration", "above zero"),
        ("0p", "queue-size", "above zero"),
        ("5bpd", "queue-size", "did you mean '5bdp'?"),
        ("1bdp", "buffer-size", "expected a queue size in packets or bytes"),
        ("-5ms", "time", "expected a time"),
        ("1e999999999Mbps", "rate", "a number of reasonable size"),
        ("99999999h", "time", "at most 9000000000 s"),
        (5, "queue-size", "did you mean '5p'?"),
        ("1e1000000p", "queue-size", "a number of reasonable size"),
        ("1e-999999999s", "time", "a number of reasonable size"),
        ("1e99999999999999999999Mbps", "rate", "expected"),
        ("Tcp Cubic", "variant", "expected a congestion control"),
        ("TcpCubic;rm", "variant", "expected a congestion control"),
        ("a\nb", "attribute-value", "printable"),
    ],
)
def test_a_wrong_value_is_told_what_was_expected(written, kind, hint):
    with pytest.raises(ValueError, match="expected") as caught:
        normal_forms.normal(written, kind)
    assert hint in str(caught.value)


@given(st.integers(1, 10**13))
def test_rates_read_back_exactly(bps):
    text = quantity_forms.rate(f"{bps}bps")
    assert units.si(text, "rate") == bps
    assert quantity_forms.rate(text) == text


@given(st.integers(1, 10**15))
def test_times_read_back_exactly(ns):
    text = quantity_forms.time(f"{ns}ns")
    assert quantity_forms.time(text) == text
    assert units.si(text, "time") == pytest.approx(ns / 1e9, rel=1e-15)


@given(st.floats(0, 1) | st.integers(-(10**9), 10**9))
def test_numbers_read_back_exactly(number):
    assert float(units.number_text(quantity_forms.number(number))) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (10, "10"), (0.5, "0.5"), ("5000kbps", "5Mbps"), ("0.1s", "100ms"), ("a b", "a b")],
)
def test_attribute_values_become_text_that_ns3_reads(value, text):
    assert normal_forms.normal_attribute(value) == text

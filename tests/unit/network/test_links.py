"""A link's capacity: how it is written, and invalid values."""

from __future__ import annotations

import pytest

from mwtutor.network.links import Link


@pytest.mark.parametrize(
    ("text", "rate", "delay", "written"),
    [
        ("1gbit", 1e9, 0, "1gbit"),
        ("100 Mbit", 1e8, 0, "100mbit"),
        ("2500mbit", 2.5e9, 0, "2.5gbit"),
        ("10gbit,0.2ms", 1e10, 0.0002, "10gbit,200us"),
        ("10gbit, 2ms", 1e10, 0.002, "10gbit,2ms"),
        ("unlimited", 0, 0, "unlimited"),
        ("unlimited,1ms", 0, 0.001, "unlimited,1ms"),
        ("", 0, 0, "unlimited"),
    ],
)
def test_what_is_written_is_read_and_written_again(text, rate, delay, written):
    link = Link.parse(text)
    assert (link.rate, link.delay) == (pytest.approx(rate), pytest.approx(delay))
    assert str(link) == written
    assert Link.parse(str(link)) == link


@pytest.mark.parametrize(
    "text",
    ["0gbit", "0", "1", "fast", "-1gbit", "1gb", "1gbit,", "1gbit,0ms", "1gbit,1", "1gbit,20s",
     "1kbit", "900gbit", "1e9gbit", "1gbit;reboot"],
)  # fmt: skip
def test_what_is_no_link(text):
    with pytest.raises(ValueError, match=r"^"):
        Link.parse(text)

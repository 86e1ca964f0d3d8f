"""The bytes that machines have sent, as recorded and as read."""

from __future__ import annotations

import time

from mwtutor.run.observations import traffic
from mwtutor.run.observations.traffic import Sample


def test_what_is_noted_is_read_and_only_when_it_has_changed(tmp_path):
    assert traffic.last_sample(tmp_path) is None
    assert traffic.read(tmp_path) == ()
    writer = traffic.Writer(tmp_path, time.time)
    assert writer.due
    for counted in ([(1, 2), (3, 4)], [(1, 2), (3, 4)], [(5, 2), (3, 4)]):
        writer.note(counted)
    assert not writer.due
    assert [sample.bytes for sample in traffic.read(tmp_path)] == [
        ((1, 2), (3, 4)),
        ((5, 2), (3, 4)),
    ]
    assert traffic.last_sample(tmp_path) == traffic.read(tmp_path)[-1]


def test_what_is_damaged_is_left_out(tmp_path):
    path = traffic.file(tmp_path)
    path.write_text("[1.5, [[1, 2]]]\nnonsense\n[2, [[1]]]\n7\n[3.5, [[4, 5]]]\n[4, [[6")
    assert [sample.at for sample in traffic.read(tmp_path)] == [1.5, 3.5]
    path.write_bytes(b"\xff\xfe" * 20000)
    assert traffic.read(tmp_path) == ()
    assert traffic.last_sample(tmp_path) is None


def test_a_place_that_cannot_be_written_costs_the_numbers_alone(tmp_path):
    traffic.Writer(tmp_path / "gone", time.time).note([(1, 2)])


def test_what_was_sent_between_two_times_is_not_guessed():
    samples = [Sample(float(at), ((100 * at, 0), (0, 0))) for at in range(1, 6)]
    assert traffic.bytes_sent(samples, 0, 1.5, 3.0) == 150
    assert traffic.bytes_sent(samples, 0, 2.0, 9.0) == 300  # the machine has sent nothing since
    assert traffic.bytes_sent(samples, 1, 2.0, 4.0) == 0
    assert traffic.bytes_sent(samples, 0, 0.5, 4.0) is None
    assert traffic.bytes_sent(samples, 0, 2.0, 2.1) is None
    assert traffic.bytes_sent((), 0, 2.0, 9.0) is None


def test_whatever_the_file_holds_it_is_read(tmp_path):
    path = traffic.file(tmp_path)
    lines = ["[" * 100_000, "[NaN, [[1, 2]]]", "[1e999, [[1, 2]]]", "[5, [[1e999, 2]]]",
             f"[6, [[{10**400}, 2]]]", "[7, [[-1, 2]]]", "[9, [[3, 4]]]", "[8, [[3, 4]]]",
             ]  # fmt: skip
    path.write_text("\n".join(lines))
    assert traffic.read(tmp_path) == (Sample(9.0, ((3, 4),)),)
    assert Sample(9.0, ((3, 4),)).bytes_of(1) == (0, 0), "of a machine that the file does not have"

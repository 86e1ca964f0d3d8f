"""The model of a training step on many machines."""

from __future__ import annotations

import pytest

from mwtutor import scaling
from mwtutor.exceptions import BadInput
from mwtutor.scaling import Measured, Workload

GRADIENTS = 4e6


def test_two_machines_send_as_much_as_the_gradients_are_in_a_ring():
    assert scaling.bytes_sent(GRADIENTS, 2) == GRADIENTS
    assert scaling.bytes_sent(GRADIENTS, 1) == 0


def test_a_ring_hardly_sends_more_with_many_and_the_naive_way_does():
    ring = [scaling.bytes_sent(GRADIENTS, n) for n in (2, 4, 1024)]
    assert ring == [4e6, 6e6, pytest.approx(8e6, rel=1e-2)]
    assert scaling.bytes_sent(GRADIENTS, 1024, "naive") == 2 * 1023 * GRADIENTS


def test_a_step_is_computing_and_then_what_passes_the_link():
    work = Workload(compute=0.1, size=GRADIENTS, start=0.01, round=0.001)
    wire = GRADIENTS * 8 / 1e8 * scaling.OVERHEAD
    assert scaling.step_time(work, 1, 1e8) == 0.1
    assert scaling.step_time(work, 2, 1e8) == pytest.approx(0.1 + 0.01 + 2 * 0.001 + wire)
    assert scaling.efficiency(work, 1, 1e8) == 1.0
    assert scaling.efficiency(work, 2, 1e8) == pytest.approx(0.1 / (0.112 + wire))


def test_what_was_put_in_is_found_again():
    true = Workload(0.05, GRADIENTS, 0.02, 0.003)
    points = [
        Measured(n, rate, scaling.step_time(true, n, rate))
        for n in (2, 3, 4)
        for rate in (2e7, 1e8)
    ]
    found = scaling.fit(0.05, GRADIENTS, points)
    assert (found.start, found.round) == (pytest.approx(0.02), pytest.approx(0.003))
    assert scaling.error(found, points) < 1e-9
    assert scaling.error(found, [Measured(2, 1e8, 10.0)]) > 0.9


def test_times_that_no_cost_explains_are_no_negative_costs():
    points = [Measured(n, 1e8, 0.001) for n in (2, 4)]
    found = scaling.fit(0.05, GRADIENTS, points)
    assert found.start == found.round == 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: scaling.step_time(Workload(0, 1), 2, 0), "carries nothing"),
        (lambda: scaling.step_time(Workload(0, 1), 0, 1e9), "0 workers exchange nothing"),
        (lambda: scaling.bytes_sent(1, 2, "tree"), "no algorithm 'tree'"),
        (lambda: Workload(-1, 1), "negative"),
        (lambda: scaling.fit(0, 1, [Measured(2, 1e9, 1)]), "what a round costs"),
    ],
)
def test_what_cannot_be(wrong, words):
    with pytest.raises(BadInput, match=words):
        wrong()


def test_the_figure_is_a_picture_that_states_the_error():
    work = Workload(0.05, GRADIENTS)
    drawn = scaling.figure(work, [Measured(2, 1e8, 0.5)])
    assert drawn._repr_png_().startswith(b"\x89PNG")

"""How often a run is restarted: every rule, on plain values."""

from mwtutor.supervisor.restarts import BACK_OFF, LASTING, LONGEST, LOOP, Restarts


def test_without_restarts_there_is_no_second_attempt():
    assert Restarts(0).delay_after(1.0) is None
    assert Restarts(0).in_vain() == ""


def test_each_wait_is_twice_as_long_up_to_a_limit():
    restarts = Restarts(10)
    waits = []
    for step in range(10):
        restarts.note_progress(None, step + 1)
        waits.append(restarts.delay_after(1.0))
    assert waits[:3] == [BACK_OFF, 2 * BACK_OFF, 4 * BACK_OFF]
    assert waits[-1] == LONGEST
    restarts.note_progress(2, None)
    assert restarts.delay_after(1.0) is None, "ten were allowed"
    assert restarts.in_vain() == "; restarted 10 times"


def test_attempts_that_get_no_further_are_a_crash_loop():
    restarts = Restarts(100)
    restarts.note_progress(2, 7)
    waits = []
    for _ in range(LOOP + 1):
        waits.append(restarts.delay_after(1.0))
        restarts.note_progress(1, 9)
        restarts.note_progress(2, 7)
    assert None not in waits[:LOOP]
    assert waits[LOOP] is None
    assert restarts.in_vain() == f"; a crash loop: {LOOP} attempts in a row made no progress"


def test_one_more_step_or_a_long_life_is_no_crash_loop():
    further, lasting = Restarts(100), Restarts(100)
    for step in range(3 * LOOP):
        further.note_progress(2, step + 1)
        assert further.delay_after(1.0)
        assert lasting.delay_after(LASTING)

"""Where the time of this process goes, sampled from inside."""

from __future__ import annotations

import json
import threading
import time

import pytest

from mwtutor.worker import sampling
from mwtutor.worker.sampling import Sampler, path_beside


def busy_until(condition):
    while not condition():
        pass


def asleep_until(condition):
    while not condition():
        time.sleep(0.02)


def answer(log):
    try:
        return json.loads(path_beside(log).read_text())
    except FileNotFoundError:
        return {"token": "", "done": False}


def seconds_in(found, function, *, main):
    places = {n for n, frame in enumerate(found["frames"]) if frame[2] == function}
    return sum(row[-1] for row in found["stacks"] if row[0] is main and places & set(row[2]))


@pytest.mark.parametrize("spent_in", [busy_until, asleep_until])
def test_the_function_that_took_the_time_is_found_in_each_thread(tmp_path, spent_in):
    log = tmp_path / "worker-0.log"
    done = threading.Event()
    other = threading.Thread(target=asleep_until, args=(done.is_set,))
    other.start()
    Sampler(str(log), hidden=0).obey("1.2:0.5")
    spent_in(lambda: answer(log)["done"])
    done.set()
    other.join()
    found = answer(log)
    assert found["token"] == "1.2"
    assert found["samples"] > 0
    assert found["seconds"] >= 0.5
    assert seconds_in(found, spent_in.__name__, main=True) > 0.8 * found["seconds"]
    assert seconds_in(found, "asleep_until", main=False) > 0.8 * found["seconds"]
    assert not any("/mwtutor/worker/" in frame[0] for frame in found["frames"])


def test_what_was_sampled_is_there_before_the_end_and_a_new_request_ends_it(tmp_path):
    log = tmp_path / "worker-0.log"
    sampler = Sampler(str(log), hidden=0)
    sampler.obey("1.1:600")
    asleep_until(lambda: answer(log).get("samples"))
    assert not answer(log)["done"]
    sampler.obey("1.2:0.1")
    asleep_until(lambda: answer(log)["done"])
    assert answer(log)["token"] == "1.2", "the first one writes no more"


def test_of_too_many_stacks_the_time_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(sampling, "MOST", 0)
    log = tmp_path / "worker-0.log"
    Sampler(str(log), hidden=0).obey("1.1:0.2")
    asleep_until(lambda: answer(log)["done"])
    found = answer(log)
    assert found["frames"] == []
    assert sum(row[-1] for row in found["stacks"] if row[0]) == pytest.approx(
        found["seconds"], abs=1e-5
    )

"""The pictures of lessons show the given numbers, also in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from mwtutor.colors import CURVES
from mwtutor.exercises.lessons import lesson_pictures

STEPS = [("add", [(0, 1, 0), (1, 0, 1)]), ("keep", [(1, 0, 0), (0, 1, 1)])]


def states(lost: bool = False) -> list[list[np.ndarray]]:
    third = np.array([11.0, 22.0]), np.array([11.0, 2.0 if lost else 22.0])
    return [
        [np.array([1.0, 2.0]), np.array([10.0, 20.0])],
        [np.array([1.0, 22.0]), np.array([11.0, 20.0])],
        list(third),
    ]


PICTURES = {
    "two ways": lesson_pictures.two_ways(64, {"w<1>": 8000, "w2": 400}, 51200, 8400),
    "timelines": lesson_pictures.timelines({"apart": [(0, 0, 2, 0), (1, 0, 3, 1)]}, until=4),
    "ring": lesson_pictures.ring(states(), STEPS, [11.0, 22.0]),
    "gathered": lesson_pictures.gathered(
        {"worker:1": [2, 3], "worker:0": [0, 1]},
        {f"worker:{index}": {"gather": [0, 1, 2, 3], "SUM axis=0": 6} for index in range(2)},
    ),
    "saved files": lesson_pictures.saved_files(
        {"worker:0": ("a/x.keras", 2048, True), "worker:1": ("a/b/x.keras", 2048, False)}
    ),
    "traffic": lesson_pictures.traffic({"two & more": np.array([[0, 4e6], [2e6, 0]])}, unit=4e6),
}


def shown(picture: lesson_pictures.Picture) -> list[str]:
    return [node.text or "" for node in ET.fromstring(picture.drawn).iter() if "text" in node.tag]


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_a_picture_is_well_formed_and_says_the_same_in_words(picture):
    root = ET.fromstring(picture.drawn)
    assert root.get("aria-label").split() == picture.words.split()
    assert root.get("role") == "img"
    bundle = picture._repr_mimebundle_()
    assert bundle == {"image/svg+xml": picture.drawn, "text/plain": picture.words}
    assert "background" not in picture.drawn


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_nothing_is_drawn_outside(picture):
    root = ET.fromstring(picture.drawn)
    for node in root.iter():
        assert 0 <= float(node.get("x", 0)) <= float(root.get("width"))
        assert 0 <= float(node.get("y", 0)) <= float(root.get("height"))


def test_what_travels_stands_under_each_way():
    assert "51,200 bytes: activations and their gradients" in shown(PICTURES["two ways"])
    assert "8,400 bytes each way: gradients" in shown(PICTURES["two ways"])
    assert shown(PICTURES["two ways"]).count("w<1>") == 3  # once on one device, then on both


def test_waiting_and_staleness():
    picture = PICTURES["timelines"]
    assert [text for text in shown(picture) if text.isdigit()] == ["0", "1"]
    assert "worker 0 50%, worker 1 75%" in picture.words
    assert "1 updates old" in picture.words
    assert picture.drawn.count("stroke-dasharray") == 2  # each waits once, at the end


def test_every_state_of_a_ring_is_there_and_only_a_wrong_end_is_marked():
    numbers = [text for text in shown(PICTURES["ring"]) if re.fullmatch(r"[\d.]+", text)]
    assert numbers == ["1", "2", "10", "20", "1", "22", "11", "20", "11", "22", "11", "22"]
    assert "≠" not in PICTURES["ring"].drawn
    wrong = lesson_pictures.ring(states(lost=True), STEPS, [11.0, 22.0])
    assert [text for text in shown(wrong) if "≠" in text] == ["≠ 2"]
    assert wrong.drawn.count(f'stroke="{CURVES[3]}"') == 1


def test_traffic_is_told_in_multiples_of_the_tensor():
    assert {"1.00", "0.50"} <= set(shown(PICTURES["traffic"]))
    assert "worker 0 to worker 1: 1.00, worker 1 to worker 0: 0.50" in PICTURES["traffic"].words


def test_no_arrow_where_next_to_nothing_was_sent():
    ring = np.array([[0, 4e6, 100], [0, 0, 4e6], [4e6, 200, 0]])
    picture = lesson_pictures.traffic({"ring": ring}, unit=4e6)
    assert picture.drawn.count("<polygon") == 3
    quiet = lesson_pictures.traffic({"ring": ring * 0}, unit=4e6)
    assert "nothing" in quiet.words
    assert "<polygon" not in quiet.drawn


def test_gather_gives_each_task_all_rows_in_the_colors_of_those_that_had_them():
    picture = PICTURES["gathered"]
    assert shown(picture).count("3") == 3  # on worker 1, and gathered by both
    assert picture.drawn.count(f'fill="{CURVES[1]}"') == 6
    assert picture.words.startswith("worker:0 has [0, 1], gather gives it [0, 1, 2, 3], reduce")


def test_which_file_is_left():
    assert "worker:0: a/x.keras, is still there" in PICTURES["saved files"].words
    assert "worker:1: a/b/x.keras, saved, then removed" in PICTURES["saved files"].words
    assert "x.keras, 2 KiB" in shown(PICTURES["saved files"])

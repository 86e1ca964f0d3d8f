"""Which task stores what, as a table and as a picture."""

from __future__ import annotations

from xml.etree import ElementTree

from mwtutor.cluster import TaskId
from mwtutor.display.pictures.variables import Placement, as_svg, lanes
from mwtutor.display.words import in_bytes
from mwtutor.sessions.variables import merge

CHIEF, W0, W1 = TaskId("chief", 0), TaskId("worker", 0), TaskId("worker", 1)


def told(name: str, *pieces: tuple[str, list[int], int | None], parts: bool = False) -> dict:
    rows = sum(shape[0] for _, shape, _ in pieces) if parts else pieces[0][1][0]
    return {
        "name": name, "shape": [rows, *pieces[0][1][1:]], "dtype": "float32", "parts": parts,
        "pieces": [
            {"task": task, "device": "CPU:0", "shape": shape, "bytes": size}
            for task, shape, size in pieces
        ],
    }  # fmt: skip


SERVED = {
    CHIEF: [
        told("table", ("ps:0", [3, 256], 3072), ("ps:1", [2, 256], 2048), parts=True),
        told("bias", ("ps:1", [4], 16)),
        told("words", ("ps:0", [2], None)),
        told("own", ("", [1], 4)),
    ]
}


def test_parts_are_where_they_are_and_their_bytes_are_one_variables():
    shown = repr(Placement("session", merge(SERVED)))
    assert shown.splitlines() == [
        "session · 4 variables · chief:0 keeps 4 B · ps:0 keeps 3.0 KiB · ps:1 keeps 2.0 KiB",
        "  variable  shape     dtype    bytes    where",
        "  table     (5, 256)  float32  5.0 KiB  ps:0 (3, 256), ps:1 (2, 256)",
        "  bias      (4,)      float32  16 B     ps:1",
        "  words     (2,)      float32  ?        ps:0",
        "  own       (1,)      float32  4 B      chief:0",
    ]


def test_a_copy_on_each_worker_is_one_variable():
    copies = {task: [told("w", ("", [8], 32)), told("w", ("", [8], 32))] for task in (W0, W1)}
    first, second = merge(copies)
    assert first == second, "two of the same name are not one"
    assert [piece.task for piece in first.pieces] == [W0, W1]
    assert first.bytes == 32
    assert "a copy on worker:0 and worker:1" in repr(Placement("session", [first]))


def test_replicas_of_one_worker_are_told_apart_by_their_devices():
    pieces = [("worker:0", [8], 32), ("worker:0", [8], 32)]
    one = told("w", *pieces)
    one["pieces"][1]["device"] = "GPU:0"
    shown = repr(Placement("session", merge({W0: [one]})))
    assert "a copy on worker:0 CPU:0 and worker:0 GPU:0" in shown


def test_a_box_is_as_wide_as_its_part_is_large_and_the_picture_is_told_in_words():
    drawn = ElementTree.fromstring(as_svg(merge(SERVED)))
    widths = {}
    for box in drawn.iter("rect"):
        widths[box.find("title").text] = float(box.get("width"))
    ratio = widths["table: 3.0 KiB on ps:0"] / widths["table: 2.0 KiB on ps:1"]
    assert abs(ratio - 1.5) < 0.01
    assert "ps:1 keeps 2.0 KiB: table 2.0 KiB, bias 16 B" in drawn.get("aria-label")


def test_what_is_named_by_a_program_cannot_act():
    evil = merge({CHIEF: [told("<script>x\x1b[2J", ("ps:0", [1], 4))]})
    placement = Placement("session", evil)
    assert "<script>x" not in placement._repr_html_()
    assert "\x1b" not in repr(placement) + placement._repr_html_()


def test_many_small_variables_are_one_box_and_none_is_no_picture():
    many = merge({CHIEF: [told(f"v{n}", ("ps:0", [1], 4)) for n in range(100)]})
    assert sum(size for _, size in lanes(many)[0].boxes) == 400
    assert as_svg(many).count("<rect") == 25
    assert "76 others" in as_svg(many)
    assert as_svg([]) == ""
    empty = Placement("session", [])
    assert repr(empty) == "session · 0 variables"
    assert "<table" not in empty._repr_html_()


def test_bytes_have_the_units_of_the_partitioner():
    assert [in_bytes(n) for n in (0, 1023, 1024, 1536, 1 << 18, 1 << 30, 1 << 41)] == [
        "0 B", "1023 B", "1.0 KiB", "1.5 KiB", "256 KiB", "1.0 GiB", "2048 GiB",
    ]  # fmt: skip

"""The figures that a program shows are kept once, and cannot harm the program."""

from __future__ import annotations

import pytest

from tests.unit.worker.task import as_task


def kept(ended) -> int:
    return sum(event["event"] == "figure_kept" for event in ended.told)


@pytest.fixture
def plotting(tmp_path):
    def plot(body: str):
        head = "import matplotlib\nmatplotlib.use('agg')\nimport matplotlib.pyplot as plt\n"
        return as_task(tmp_path, head + body)

    return plot


def test_a_figure_is_kept_again_only_when_it_has_changed(plotting, tmp_path):
    ended = plotting("plt.plot([1, 2])\nplt.show()\nplt.show()\nplt.title('x')\nplt.show()\n")
    assert (ended.status, ended.printed, kept(ended)) == (0, "", 2)
    assert len(list((tmp_path / "logs").glob("*-figure-*.png"))) == 2


def test_a_figure_that_cannot_be_drawn_or_written_costs_the_program_nothing(plotting, tmp_path):
    (tmp_path / "logs" / "worker-0-figure-1.png").mkdir(parents=True)
    ended = plotting(
        "plt.figure()\nplt.show()\nplt.close()\n"
        "plt.figure().savefig = None\nplt.show()\nprint('on')"
    )
    assert (ended.status, ended.printed, kept(ended)) == (0, "on\n", 0)


def test_of_very_many_the_first_are_kept_and_a_line_says_so(plotting, tmp_path):
    ended = plotting(
        "figure = plt.figure(figsize=(0.1, 0.1))\n"
        "for n in range(60):\n    figure.set_facecolor((n / 60, 0, 0))\n    plt.show()\n"
    )
    assert kept(ended) == len(list((tmp_path / "logs").glob("*-figure-*.png"))) == 50
    assert ended.printed == "mwtutor keeps the first 50 figures of a task.\n"

"""The commands that draw a run: a metric over its steps, and what its tasks did over time."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

from mwtutor import find_runs
from mwtutor.commands.choice import add_name, chosen_run
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.display.panel.machines import sent_in_a_step
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.system.files import write_whole


def _plot(parser: Parser) -> None:
    parser.add_argument(
        "metric", nargs="?", default="loss", help="the metric, for example accuracy (default: loss)"
    )
    parser.flag(
        "--traffic",
        "draw what each machine sent over time, instead of a metric (only with --machines)",
    )
    parser.flag(
        "--figures",
        "show the figures that the program showed with plt.show(), instead of a metric",
    )
    parser.flag("--live", "redraw the curves until the run ends")
    add_name(parser)


def _plot_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.display.pictures.plot import curves, traffic

    run = chosen_run(options, "metric", default="loss")
    if options.live:
        if options.figures or options.traffic:
            raise BadInput(
                "--live can draw only a metric.", "Leave out --live, or the other option."
            )
        face.plot_live(run, options.metric)
        return Answer()
    if options.figures:
        from mwtutor.display.pictures.program_figures import Figures

        return Answer(Figures.from_run(run))
    if options.traffic:
        return Answer(face.picture(traffic(run), f"{run.name}-traffic"))
    name = re.sub(r"[^A-Za-z0-9_.-]", "_", f"{run.name}-{options.metric}")
    return Answer(face.picture(curves(run, options.metric), name))


def _timeline(parser: Parser) -> None:
    add = parser.add_argument
    add_name(parser)
    parser.flag(
        "--steps", "also show where the time of each step went: computing, or waiting for others"
    )
    add("--svg", default="", metavar="FILE", help="write the picture to FILE")


def _timeline_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.display.pictures.timeline import Drawn

    run = find_runs.find(options.name)
    content = run.timeline()
    if options.steps and content.steps is None:
        raise NoRun(
            f"{run.name} recorded no training steps.",
            "Steps are recorded in Keras's fit, and in loops that call a tf.function in which"
            " workers exchange data.",
        )
    if (
        options.steps
        and content.steps is not None
        and (said := sent_in_a_step(run.state, content.steps, run.traffic()))
    ):
        face.say(said)
    drawn = Drawn(run.name, content, steps=options.steps)
    if not options.svg:
        return Answer(drawn)
    write_file(options.svg, drawn.file())
    face.say(f"Wrote the picture to {options.svg}.")
    return Answer()


def _record(parser: Parser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        default="",
        metavar="FILE",
        help="write to FILE: a page (.html), or a picture that plays without a script (.svg)",
    )
    add_name(parser)


def _record_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.display.recording import Recording

    run = chosen_run(options, "file")
    kind = Path(options.file).suffix.lower()
    if options.file and kind not in (".html", ".svg"):
        raise BadInput(
            f"{options.file} does not end in .html or .svg.",
            "Name a page with a play button (.html), or a picture (.svg).",
        )
    if not options.file and face.shell is None:
        raise BadInput("No file was given.", "Name a file: mwtutor record run.html")
    recording = Recording(run)
    if not options.file:
        return Answer(recording)
    write_file(options.file, recording.picture() if kind == ".svg" else recording.page())
    face.say(f"Wrote {recording.seconds:.1f} s of {recording.name} to {options.file}.")
    return Answer()


def write_file(name: str, data: bytes) -> None:
    """Write a command's output to a file.

    Raises:
        BadInput: the file cannot be written.
    """
    try:
        write_whole(Path(name).expanduser(), data)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(
            f"{name} cannot be written: {why}.", "Write the output somewhere else."
        ) from None


VERBS = {
    "plot": Verb(
        "Draw a metric of every task over the steps of its training.\n"
        "With --live in a notebook, the cell returns immediately; its curves keep updating\n"
        "until the run ends.",
        _plot,
        _plot_body,
        "  @plot\n  @plot accuracy --name demo\n  @plot --live\n"
        "  @plot --traffic\n  @plot --figures\n",
    ),
    "record": Verb(
        "Replay a run: show its panel over time, with a play button, here or on its own page.",
        _record,
        _record_body,
        "  @record\n  @record run.html --name demo\n  @record run.svg\n",
    ),
    "timeline": Verb(
        "Draw what every task did over time: when it started, waited (and for which tasks), trained"
        " and ended.",
        _timeline,
        _timeline_body,
        "  @timeline\n  @timeline --steps\n  @timeline demo --svg demo.svg\n",
    ),
}

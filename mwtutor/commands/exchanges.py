"""The commands that show what the tasks of a run exchanged, and that write a trace of the run."""

from __future__ import annotations

import json
from argparse import Namespace

from mwtutor import find_runs
from mwtutor.commands.choice import add_name, chosen_run
from mwtutor.commands.parser import Parser
from mwtutor.commands.pictures import write_file
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.display.exchanges import Drawn
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.run.observations.exchanges import join_names
from mwtutor.run.observations.missing import verdict_words, why_unknown


def _exchanges(parser: Parser) -> None:
    add = parser.add_argument
    add_name(parser)
    add(
        "--last",
        type=int,
        default=0,
        metavar="N",
        help="show the last N exchanges one by one, instead of totals for each program line",
    )
    parser.flag("--json", "print every recorded exchange as JSON")


def _exchanges_body(options: Namespace, face: Face) -> Answer:
    run = find_runs.find(options.name)
    content = run.exchanges()
    if not any(one.exchanges for one in content.ledgers.values()):
        why = "none were recorded"
        if content.unrecorded:
            why = f"it may exchange data through {join_names(content.unrecorded)}"
        if run.spec.request.no_ledger:
            why = "it was launched with --no-ledger"
        raise NoRun(
            f"{run.name} has no exchanges to show: {why}.",
            "mwtutor records the collectives of TensorFlow's strategies and of Horovod, but not"
            " those of XLA, DTensor, tf.raw_ops, or Horovod in graph mode.",
        )
    if options.json:
        said = {"verdict": verdict_words(content), "unknown": why_unknown(content)}
        face.say(json.dumps({**said, **content.to_dict()}))
        return Answer()
    times = run.step_times()
    return Answer(Drawn(run.name, content, last=max(options.last, 0), times=times))


def _trace(parser: Parser) -> None:
    add = parser.add_argument
    add("file", nargs="?", default="", metavar="FILE", help="write the trace to FILE (JSON)")
    add_name(parser)


def _trace_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options, "file")
    if not options.file:
        raise BadInput("No file was given for the trace.", "Name a file: @mw_trace run.json")
    content = run.trace()
    write_file(options.file, json.dumps(content).encode())
    count = len(content["traceEvents"])
    face.say(f"Wrote {count} events of {run.name} to {options.file}. Open it in ui.perfetto.dev.")
    return Answer()


def _compare(parser: Parser) -> None:
    parser.add_argument("runs", nargs="*", metavar="RUN", help="two or more names or ids of runs")
    parser.add_argument(
        "--name", action="append", default=[], metavar="RUN", help="another run; may be repeated"
    )
    parser.add_argument(
        "--metric", default="loss", help="the metric whose curves are drawn (default: loss)"
    )


def _compare_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.display.comparison import compare

    return Answer(compare(*options.runs, *options.name, metric=options.metric))


VERBS = {
    "compare": Verb(
        "Compare the options, versions and times of runs, and the curves of a metric.\n"
        "Only recorded data is shown. Times are compared with those of the first run.",
        _compare,
        _compare_body,
        "  @compare first second\n  @compare first second third --metric accuracy\n",
    ),
    "trace": Verb(
        "Write a trace of every task to a file, for Perfetto.",
        _trace,
        _trace_body,
        "  @trace run.json\n  @trace run.json --name demo\n",
    ),
    "exchanges": Verb(
        "Show what the workers have exchanged, and which worker's exchange is missing.",
        _exchanges,
        _exchanges_body,
        "  @exchanges\n  @exchanges demo --last 10\n  @exchanges --json\n",
    ),
}

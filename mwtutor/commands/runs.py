"""The run commands, with their arguments and bodies, for magics and the terminal."""

from __future__ import annotations

import argparse
import contextlib
import time
from argparse import Namespace
from dataclasses import replace

from mwtutor import find_runs
from mwtutor import launcher as api
from mwtutor.commands.choice import add_name, chosen_run, say_which
from mwtutor.commands.parser import (
    Parser,
    add_option,
    add_options,
    given_options,
    pattern,
    signal_number,
)
from mwtutor.commands.pictures import write_file
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.display.output import loglines
from mwtutor.display.panel.listing import Listing
from mwtutor.display.panel.panel import Panel
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.run.logs import logs
from mwtutor.run.observations import missing
from mwtutor.run.observations.samples import Sampled
from mwtutor.run.observations.standing import awaited_tasks, standings
from mwtutor.run.observations.usage import Loads, watch
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.option_kinds import Count, Seconds, row
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run


def add_program(parser: Parser) -> None:
    """Add the arguments of :func:`launch_request`: the number of workers, and the program."""
    add = parser.add_argument
    add_option(parser, row(LaunchRequest, "workers"))
    add("program", nargs="?", help="the script that every task executes; its arguments follow --")
    add("-m", dest="module", metavar="PKG.MODULE", help="execute a module, as python -m does")


def _launch(parser: Parser) -> None:
    add_program(parser)
    parser.flag(
        "--wait",
        "wait for the end, show progress, and fail if the run fails (always in a terminal)",
    )
    parser.flag(
        "--dry-run", "with --on slurm or ray: show what would be submitted, and submit nothing"
    )
    add_options(parser, "launch")


def _logs(parser: Parser) -> None:
    add = parser.add_argument
    add("task", nargs="?", default="", help="one task, for example worker:1 (default: all)")
    parser.value(
        "-n", Count(), "show the last N lines (default: 200; 0: all)", dest="last", default=200
    )
    add("--follow", "-f", action="store_true", help="keep showing new lines until the run ends")
    add("--grep", default="", metavar="RE", type=pattern, help="show only lines that match RE")
    parser.flag(
        "--raw",
        "show TensorFlow's startup messages too, and every task's lines separately",
    )
    parser.flag(
        "--json", "print each line as a JSON object: task, time (seconds since 1970), attempt, text"
    )
    add_name(parser)


def _wait(parser: Parser) -> None:
    add_name(parser)
    parser.value("--timeout", Seconds(), "wait at most S seconds; the run continues", default=0.0)


def _stop(parser: Parser) -> None:
    add_name(parser)
    parser.flag("--all", "stop every run of this directory")


def _runs(parser: Parser) -> None:
    parser.flag("--clean", "remove the runs that have ended")


def _kill(parser: Parser) -> None:
    parser.add_argument("task", help="a task, for example worker:1")
    parser.add_argument("--signal", default="KILL", help="KILL (default), TERM, SEGV, or a number")
    add_name(parser)


def _stacks(parser: Parser) -> None:
    parser.add_argument(
        "task",
        nargs="?",
        default="",
        help="a task, for example worker:0 (default: all; first those that the others wait for)",
    )
    parser.value(
        "--sample",
        Seconds(),
        "sample the stacks for S seconds, and draw where the time goes: a flame graph",
        default=None,
    )
    parser.add_argument(
        "--svg", default="", metavar="FILE", help="with --sample: write the picture to FILE"
    )
    add_name(parser)


def _top(parser: Parser) -> None:
    add_name(parser)
    parser.value(
        "-n",
        Count(),
        "stop after N updates (default: when the run ends, or at an interrupt)",
        dest="count",
        default=0,
    )


def _doctor(parser: Parser) -> None:
    workers = row(LaunchRequest, "workers")
    parser.add_argument(
        "workers",
        type=workers.kind.reader(workers.label),
        nargs="?",
        default=workers.default,
        metavar="N",
        help="show which GPU each of N workers would get (default: 2)",
    )
    parser.flag("--json", "print JSON with versions, for a bug report")


def _launch_body(options: Namespace, face: Face) -> Answer:
    def begun(spec: RunSpec) -> None:
        if face.waits:
            with contextlib.suppress(OSError):  # a full disk affects only this line, not the run
                face.say(f"Starting {spec.name} ...")

    request = launch_request(options)
    if options.dry_run:
        face.say(api.preview(request).rstrip("\n"))
        return Answer()
    with face.starting():
        launched = api.start(request, begun=begun)
    if launched.replaced is not None:
        face.say(f"{launched.replaced.name} was still running and has been stopped.")
    if options.wait or face.waits:
        return face.follow(launched.run, 0.0, owned=True)
    face.mark_shown(launched.run, launched=True)
    return Answer(face.panel(launched.run))


def _status_body(options: Namespace, face: Face) -> Answer:
    run = find_runs.find(options.name)
    outcome = run.outcome
    face.mark_shown(run)
    return Answer(face.panel(run, ask=True), status=0 if outcome is None or outcome.ok else 1)


def _logs_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options)
    tasks = [run.task(options.task)] if options.task else list(run.tasks)
    if not options.json:
        say_which(run, options, face)
    how = {"last": options.last, "grep": options.grep, "raw": options.raw or options.json}
    batches = iter([logs.lines(run.spec, tasks, **how)])
    if options.follow:
        batches = logs.follow(run.spec, tasks, lambda: run.outcome is None, **how)
    machines = {task: one.name for one in run.state.machines for task in one.tasks}
    with face.leaving(run):
        for lines in batches:
            if options.json:
                shown = loglines.as_json(lines, run.starts)
            else:
                shown = loglines.render(
                    lines, tasks, apart=options.raw, color=face.color, machines=machines
                )
            for line in shown:
                face.say(line)
    return Answer()


def _wait_body(options: Namespace, face: Face) -> Answer:
    return face.follow(find_runs.find(options.name), options.timeout, owned=False)


def _stop_body(options: Namespace, face: Face) -> Answer:
    if options.all:
        found = [run for run in find_runs.runs() if run.can_be_stopped]
    else:
        found = [find_runs.find_to_change(options.name)]
    going = [run for run in found if run.outcome is None]
    said = [f"{run.name} {run.stop(face.stop_reason).status}." for run in going]
    for run in going:
        face.mark_shown(run)
    if options.all:
        return Answer(Listing(going), "\n".join(said) or "Nothing is running here.")
    run = found[0]
    if going:
        return Answer(Panel.from_run(run), said[0])
    face.say(
        f"Nothing is running here; {run.name} has already ended."
        if not options.name
        else f"{run.name} has already ended."
    )
    return Answer(Panel.from_run(run))


def _runs_body(options: Namespace, face: Face) -> Answer:
    if options.clean:
        count = api.clean()
        face.say(f"Removed {count} run{'s' * (count != 1)} that had ended.")
    find_runs.recover()
    return Answer(Listing(find_runs.runs(), hidden=find_runs.hides_some()))


def _kill_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options, default=None, find=find_runs.find_to_change)
    run.kill(options.task, signal_number(options.signal))
    face.say(f"Sent {options.signal.upper()} to {run.task(options.task)} of {run.name}.")
    return Answer()


def _flames(run: Run, options: Namespace, face: Face) -> Answer:
    from mwtutor.display.pictures.flames import Flames

    sampling = run.sampling(options.sample, [options.task] if options.task else [])
    face.head(f"Sampling {run.name} for {options.sample:g} s; Ctrl-C shows the samples so far.")
    found: Sampled | None = None
    with contextlib.closing(sampling):
        try:
            for so_far in sampling:
                found = so_far
        except KeyboardInterrupt:
            if found is None:
                raise
            found = replace(found, interrupted=True)
    assert found is not None, "sampling yields its first result at once"
    flames = Flames(run.name, found)
    if options.svg:
        write_file(options.svg, flames.file())
        face.say(f"Wrote the picture to {options.svg}.")
        return Answer()
    return Answer(flames)


def _stacks_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options)
    if options.sample is not None:
        return _flames(run, options, face)
    if options.svg:
        raise BadInput("--svg needs --sample.", "Write, for example, --sample 5 --svg FILE.")
    if options.task:
        stacks = run.stacks(options.task)
        say_which(run, options, face)
        face.say("\n\n".join(map(str, stacks)))
        return Answer()
    found = standings(run)
    say_which(run, options, face)
    late = awaited_tasks(found)
    for one in found:
        note = ", in a collective" if one.waits else ""
        note = ", for which the others wait" if one in late else note
        face.say("\n\n".join([f"---- {one.task}{note} ----", *map(str, one.threads)]))
        face.say(f"{one.why}\n")
    content = run.exchanges()
    if said := missing.verdict_words(content) or missing.why_unknown(content):
        face.say(said)
    return Answer()


def _top_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.display.panel.top import Top

    run = find_runs.find(options.name)
    if run.outcome is not None:
        raise NoRun(
            f"{run.name} has ended: its tasks use no resources.",
            "Launch it again to see what its tasks use.",
        )
    loads: Loads | None = None
    try:
        for number, loads in enumerate(watch(run), 1):
            last = number == options.count
            face.refresh(Top(run.name, loads), last=last)
            if last:
                break
    except KeyboardInterrupt:  # the usual way to stop watching
        if loads is not None:
            face.refresh(Top(run.name, loads, time.strftime("%H:%M:%S")), last=True)
    return Answer()


def _doctor_body(options: Namespace, face: Face) -> Answer:
    from mwtutor.diagnosis.checks import doctor

    found = doctor(options.workers)
    if options.json:
        face.say(found.to_json())
        return Answer(status=0 if found.ok else 1)
    return Answer(found, status=0 if found.ok else 1)


VERBS = {
    "launch": Verb(
        "Start a program on a cluster of processes on this machine.\n"
        "Every task gets its own TF_CONFIG, logs are captured, and no process is left behind.\n"
        "In a notebook, the cell returns immediately; its panel keeps updating until the end.\n"
        "In a terminal, the command waits for the end.",
        _launch,
        _launch_body,
        "  @launch 2 main.py\n"
        "  @launch 2 main.py --wait -- --epochs 3\n"
        "  @launch 2 -m pkg.train --env SEED=1 --name demo\n"
        "  @launch 2 parameter_server.py --chief --ps 1\n"
        "  @launch 2 main.py --restarts 3 --grace 10\n"
        "  @launch 4 main.py --restarts 1 --elastic 2:4\n"
        "  @launch 2 main.py --gpus-per-worker 1 --comm nccl\n",
    ),
    "status": Verb(
        "Show a run: what every task is doing, and what went wrong.\n"
        "In a notebook, its panel keeps updating until the run ends.",
        add_name,
        _status_body,
        "  @status\n  @status demo\n",
    ),
    "logs": Verb(
        "Show what the tasks printed, merged in chronological order.",
        _logs,
        _logs_body,
        "  @logs\n  @logs demo\n  @logs worker:1 -n 20\n  @logs --follow\n"
        "  @logs --grep 'loss|error'\n  @logs --json -n 0\n",
    ),
    "wait": Verb(
        "Wait until a run has ended, and show its progress. An interrupt ends only the wait.",
        _wait,
        _wait_body,
        "  @wait\n  @wait demo --timeout 60\n",
    ),
    "stop": Verb(
        "Stop a run: every task, and every process that a task started.",
        _stop,
        _stop_body,
        "  @stop\n  @stop demo\n",
    ),
    "runs": Verb(
        "List the runs of this directory.", _runs, _runs_body, "  @runs\n  @runs --clean\n"
    ),
    "kill": Verb(
        "Kill one task, to see what a fault does.",
        _kill,
        _kill_body,
        "  @kill worker:1\n  @kill worker:1 --signal SEGV\n",
    ),
    "stacks": Verb(
        "Show the Python stacks of the tasks' threads, without stopping them.\n"
        "With --sample, show where the time goes: a flame graph of all tasks, side by side.\n"
        "Ctrl-C ends the sampling, and shows what was sampled so far.",
        _stacks,
        _stacks_body,
        "  @stacks\n  @stacks worker:0\n  @stacks --sample 5\n"
        "  @stacks --sample 5 --svg flames.svg\n",
    ),
    "top": Verb(
        "Show live which resources each task uses: processor, memory, threads.",
        _top,
        _top_body,
        "  @top\n  @top demo -n 1\n",
    ),
    "doctor": Verb(
        "Check versions, GPUs, NCCL, memory and the network, and suggest remedies.",
        _doctor,
        _doctor_body,
        "  @doctor\n  @doctor 4\n  @doctor --json\n",
    ),
}


def launch_request(options: argparse.Namespace) -> LaunchRequest:
    """The request that the options of ``launch`` describe."""
    if bool(options.program) == bool(options.module):
        raise BadInput(
            "Name one program: a script, or a module with -m.",
            "For example: 2 main.py, or 2 -m pkg.train; the program's own arguments follow --.",
        )
    typed = given_options(options, "launch")
    typed |= {"program": options.module or options.program, "module": bool(options.module)}
    return LaunchRequest(**typed)

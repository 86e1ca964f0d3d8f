"""The command that shows a task's place in its cluster: its ``TF_CONFIG``, or its rank."""

from __future__ import annotations

from argparse import Namespace

from mwtutor.commands.choice import add_name, chosen_run, say_which
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.display.explain import explain_process, explain_rank, explain_tf_config


def _config(parser: Parser) -> None:
    parser.add_argument("task", nargs="?", default="", help="a task, for example worker:0")
    add_name(parser)


def _config_body(options: Namespace, face: Face) -> Answer:
    run = chosen_run(options)
    cluster = run.state.cluster
    tasks = [run.task(options.task)] if options.task else list(run.tasks)
    say_which(run, options, face)
    for task in tasks:
        if run.spec.request.is_horovod and cluster is not None:
            face.say(explain_rank(cluster, task))
        elif run.spec.request.is_jax and cluster is not None:
            face.say(explain_process(cluster, task))
        else:
            face.say(explain_tf_config(run.tf_config(task)))
    return Answer()


VERBS = {
    "config": Verb(
        "Show a task's TF_CONFIG, and explain it.",
        _config,
        _config_body,
        "  @config worker:0\n",
    ),
}

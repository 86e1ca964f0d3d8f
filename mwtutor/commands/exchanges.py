"""The verb that shows what the tasks of a run have exchanged."""

from __future__ import annotations

import json
from argparse import Namespace

from mwtutor import launcher as api
from mwtutor.commands.choice import add_name
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.display.exchanges import Drawn
from mwtutor.exceptions import NoRun
from mwtutor.run.observations.missing import verdict


def _exchanges(parser: Parser) -> None:
    add = parser.add_argument
    add_name(parser)
    add(
        "--last",
        type=int,
        default=0,
        metavar="N",
        help="the last N exchanges one by one, instead of their sums by line of the program",
    )
    add("--json", action="store_true", help="every exchange that is recorded, as JSON")


def _exchanges_body(options: Namespace, face: Face) -> Answer:
    run = api.find(options.name)
    content = run.exchanges()
    if not any(one.exchanges for one in content.ledgers.values()):
        why = (
            "it was launched with --no-ledger" if run.spec.request.no_ledger else "none is recorded"
        )
        raise NoRun(
            f"{run.name} has no exchanges to show: {why}.",
            "They are recorded of TensorFlow's collectives, as a MultiWorkerMirroredStrategy makes"
            " them; not of graph mode, of what XLA compiles, or of Horovod.",
        )
    if options.json:
        found = verdict(content)
        face.say(json.dumps({"verdict": found.words if found else "", **content.to_dict()}))
        return Answer()
    return Answer(Drawn(run.name, content, last=max(options.last, 0)))


VERBS = {
    "exchanges": Verb(
        "Show what the workers have exchanged, and whose exchange is missing.",
        _exchanges,
        _exchanges_body,
        "  @exchanges\n  @exchanges demo --last 10\n  @exchanges --json\n",
    ),
}

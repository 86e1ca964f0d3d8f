"""08-w1: is this the chief?"""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged

_PEERS = ("chief", "worker", "ps")


def check(work: Work) -> Verdict:
    done = "Every cluster has exactly one chief, and a process alone is one."
    return judged(work, __file__, "is_chief", _cases(), done)


def _cases() -> list[Case]:
    workers = [f"w:{port}" for port in range(int(np.random.default_rng().integers(2, 6)))]
    clusters = (
        {"worker": workers},
        {"worker": workers, "ps": ["p:1"]},
        {"chief": ["c:1"], "worker": workers},
        {"chief": ["c:1"], "worker": workers, "ps": ["p:1", "p:2"], "evaluator": ["e:1"]},
        {"worker": workers, "evaluator": ["e:1"]},
    )
    tasks: list[dict[str, Any]] = [
        {
            "task": {"type": job, "index": index},  # first, because a verdict shows the beginning
            # only an evaluator's own TF_CONFIG lists it
            "cluster": {name: cluster[name] for name in cluster if name in (job, *_PEERS)},
        }
        for cluster in clusters
        for job, addresses in cluster.items()
        for index in range(len(addresses))
    ]
    return [(told,) for told in [*tasks, {}]]

"""Published programs with an Estimator, with a strategy and without.

``test_patterns`` explains the rows; ``test_evaluator`` tests that an evaluator evaluates.
"""

from __future__ import annotations

import pytest

from mwtutor.run.observations.exchanges import Exchanges
from mwtutor.run.observations.missing import verdict
from tests.parity.versions import version_of
from tests.support.programs.published import Pattern, judge

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.bridges, pytest.mark.full]

#: TensorFlow 2.15 has its own Estimator, and its own messages.
NATIVE = version_of("tensorflow") < (2, 16)
REFUSED = ("C" if NATIVE else "c") + "all tf.estimator.train_and_evaluate."
BECAUSE = "because the program uses the Estimator"

PATTERNS = {
    "train_and_evaluate": Pattern(
        "estimator_alone",
        "one process trains and evaluates",
        1,
        ("train_and_evaluate",),
        said=BECAUSE,
    ),
    "flags_and_servers": Pattern(
        "estimator_with_flags",
        "chief, worker and parameter server train to the step that a flag of tf.app names",
        1,
        ("--model_dir=model", "--max_steps=20"),
        {"chief": True, "ps": 1, "evaluator": True},
        said=BECAUSE,
    ),
    "together": Pattern(
        "estimator_together",
        "train_and_evaluate under a strategy is one training",
        args=("train_and_evaluate",),
        said=BECAUSE,
    ),
    "model_to_estimator": Pattern(
        "estimator_of_keras", "so it is of a Keras model that became an Estimator", said=BECAUSE
    ),
    "one_worker_under_a_strategy": Pattern(
        "estimator_together", "one worker trains as it does without a cluster", 1, ("train",)
    ),
    "one_worker_mirrored": Pattern(
        "estimator_mirrored", "a strategy of one machine does not span a cluster of one", 1
    ),
    "remote_cluster": Pattern(
        "estimator_remote",
        "a client evaluates on the workers of its remote cluster, each with its own rows",
        options={"chief": True},
        results=1,
        said=BECAUSE,
    ),
    "train_alone": Pattern(
        "estimator_train",
        "advice says to launch one worker if only one process trains",
        status="failed",
        said="Launch it with 1 worker: %mw_launch 1 ",
    ),
    "fit_after_it": Pattern(
        "estimator_then_fit",
        "a fit outside of the Estimator's cluster is not called one training",
        1,
        options={"chief": True, "ps": 1},
        said="These 2 tasks trained separately: their weights differ at the end of fit; fit was"
        " called outside their cluster.\n  No task evaluates:",
        once=False,
    ),
    "train_of_two": Pattern(
        "estimator_together",
        "what TensorFlow refuses is refused, with what to call instead",
        args=("train",),
        status="failed",
        said=REFUSED,
    ),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_published_pattern_of_an_estimator(launch, write, name):
    run = judge(PATTERNS[name], launch, write)
    if name == "together":
        exchanges_are_recorded(run.exchanges())


def exchanges_are_recorded(content: Exchanges) -> None:
    """Each of the 20 steps is recorded, although sessions execute them."""
    first, second = content.ledgers.values()
    assert first.made == second.made > 20
    assert all(one.done for ledger in (first, second) for one in ledger.exchanges)
    assert max(one.execution for one in first.exchanges) == 20
    assert (content.unrecorded, verdict(content)) == ((), None)

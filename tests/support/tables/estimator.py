"""The Estimator's table of the bridges' page: each feature, and the tests in ``tests/bridges``."""

from __future__ import annotations

from dataclasses import dataclass

from tests.parity.table import markdown

ONE = "one_process_gives_the_numbers_of_the_original"
MANY = "cluster_gives_the_losses_of_the_original"
EVALUATOR = "evaluator_follows_checkpoints_and_exports_the_last"


@dataclass(frozen=True)
class Feature:
    """A row of the table.

    Attributes:
        name: its name in the table.
        tests: the tests' names without ``test_``, with the cases in brackets.
        native: whether the row makes sense on a TensorFlow with its own Estimator.
    """

    name: str
    tests: tuple[str, ...]
    native: bool = True


FEATURES = (
    Feature("one process", (f"{ONE}[momentum, adam, keras_optimizer]",)),
    Feature("`MirroredStrategy`, two devices", (f"{ONE}[mirrored]",)),
    Feature("`MultiWorkerMirroredStrategy`, 2 workers", (f"{MANY}[multi_worker]",)),
    Feature("chief and parameter server", (f"{MANY}[chief_ps]",)),
    Feature(
        "chief and parameter server, `ParameterServerStrategy`", (f"{MANY}[chief_ps_strategy]",)
    ),
    Feature(
        "asynchronous chief, worker and parameter server: same model within 1e-4",
        ("asynchronous_training_ends_in_the_same_model",),
    ),
    Feature("`train_and_evaluate`, `TrainSpec`, `EvalSpec`", (f"{ONE}[train_and_evaluate]",)),
    Feature(
        "`RunConfig(train_distribute=..., eval_distribute=...)`",
        (f"{ONE}[mirrored]", f"{MANY}[multi_worker, chief_ps_strategy]"),
    ),
    Feature("hooks and saving listeners", (f"{ONE}[hooks, train_and_evaluate]",)),
    Feature("checkpoints, resuming, warm start", (f"{ONE}[checkpoints_and_resume, warm_start]",)),
    Feature(
        "evaluator task that follows checkpoints",
        (f"{EVALUATOR}[multi_worker, chief_ps_strategy]",),
    ),
    Feature("exporters", (f"{ONE}[train_and_evaluate]", f"{EVALUATOR}[multi_worker]")),
    Feature("SavedModel, serving signatures", (f"{ONE}[saved_model, linear_classifier]",)),
    Feature(
        "canned estimators",
        (f"{ONE}[linear_classifier, linear_regressor, baseline_classifier, networks]",),
    ),
    Feature("`add_metrics`", (f"{ONE}[add_metrics]",)),
    Feature("`tf.compat.v1.estimator`", (f"{ONE}[compat_v1]",)),
    Feature(
        "`model_to_estimator`",
        (f"{ONE}[model_to_estimator, model_to_estimator_mirrored]",),
    ),
    Feature("`predict`", (f"{ONE}[predict]",)),
    Feature(
        "progress (step, loss) without a change to the program",
        ("progress_is_reported_for_every_training", "every_worker_reports_its_training"),
    ),
    Feature("Keras 2 chosen from the source", ("source_that_uses_the_estimator_is_recognized",)),
    Feature(
        "refused before anything is changed: Keras 3 loaded or asked for, TensorFlow unknown",
        ("refuses_before_it_changes_anything",),
        native=False,
    ),
    Feature(
        "TPU names: importable, refused when used",
        ("tpu_names_exist_and_say_that_they_do_nothing",),
        native=False,
    ),
)


def table() -> str:
    lines = [
        [
            feature.name,
            "native" if feature.native else "not needed",
            "by the bridge",
            ", ".join(f"`{test}`" for test in feature.tests),
        ]
        for feature in FEATURES
    ]
    return markdown(["feature", "TensorFlow 2.15", "TensorFlow 2.21", "tests"], lines)

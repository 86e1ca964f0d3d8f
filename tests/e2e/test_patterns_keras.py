"""Published programs that call ``Model.fit``: callbacks, files, flags, features of Keras 2.

``test_patterns`` explains the rows.
"""

from __future__ import annotations

import pytest

from tests.support.programs.published import Pattern, judge

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.bridges, pytest.mark.full]

PATTERNS = {
    "backup_and_restore": Pattern(
        "backup_and_restore",
        "after a restart, BackupAndRestore continues in the same epoch on all workers",
        options={"restarts": 1},
        said="attempt 2",
    ),
    "callbacks_of_its_own": Pattern(
        "callbacks_of_its_own", "paths that only one worker writes are left alone", keras=3
    ),
    "chief_saves": Pattern(
        "chief_saves", "a model is saved by all workers, loaded by all and trained further"
    ),
    "stops_early": Pattern(
        "stops_early", "a callback that acts on val_loss decides the same on all workers"
    ),
    "mixed_precision": Pattern("mixed_precision", "scaled losses and half precision train"),
    "old_name": Pattern(
        "old_names",
        "the strategy's name of TensorFlow 2.0 is the same strategy",
        args=("v2",),
        said="the program asks for RING",
    ),
    "old_name_v1": Pattern(
        "old_names",
        "so is that of tf.compat.v1 under Keras 2",
        args=("v1",),
        options={"keras": "2"},
        said="the program asks for RING",
        keras=2,
    ),
    "old_name_v1_of_keras_3": Pattern(
        "old_names",
        "and under Keras 3 it is refused, with a remedy",
        args=("v1",),
        status="failed",
        said="MultiWorkerMirroredStrategy, or start the program with `--keras 2`",
        keras=3,
    ),
    "legacy_optimizer": Pattern(
        "legacy_optimizer",
        "Keras 2 is chosen where the source is certain",
        said="Keras 2",
        keras=2,
    ),
    "resets_states": Pattern(
        "resets_states",
        "reset_states, save_format and batch_input_shape work under --keras 2",
        options={"keras": "2"},
        said="Keras 2",
        keras=2,
    ),
    "reads_its_config": Pattern(
        "reads_its_config", "a program may read TF_CONFIG, and write it back"
    ),
    "flags_of_absl": Pattern(
        "flags_of_absl",
        "arguments after -- are the program's flags",
        args=("--epochs", "3", "--learning_rate=0.5"),
    ),
    "processes_prepare": Pattern(
        "processes_prepare", "a worker may have its own processes before it trains"
    ),
    "text_of_a_generator": Pattern(
        "text_of_a_generator", "a subclassed model trains on a generator that never ends"
    ),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_published_pattern_of_fit(launch, write, name):
    judge(PATTERNS[name], launch, write)

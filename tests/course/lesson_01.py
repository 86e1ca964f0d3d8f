"""Faults that the check cells of lesson 01 must notice."""

from tests.course.sabotage import CheckSabotage

_TRAININGS = ("launch-one", "launch-two", "launch-four")

CHECK_SABOTAGES = (
    CheckSabotage(  # a variable of one device
        check="check-devices",
        cell="devices-py",
        old="with strategy.scope():",
        new="if True:",
        needs=("launch-devices",),
    ),
    CheckSabotage(  # nothing came too early
        check="check-late",
        cell="late-py",
        old="tf.constant(1) + 1",
        new="2",
        needs=("launch-late",),
    ),
    CheckSabotage(  # rows are missing
        check="check-tfds",
        cell="tfds",
        old="image, label =",
        new='datasets["train"] = datasets["train"].take(1000)\nimage, label =',
    ),
    CheckSabotage(
        check="check-order",
        cell="order",
        old="data.cache().shuffle(6)",
        new="data.shuffle(6).cache()",
    ),
    CheckSabotage(  # one device trains, the others are idle
        check="check-training",
        cell="train-py",
        old="with strategy.scope():",
        new="if True:",
        needs=_TRAININGS,
    ),
    CheckSabotage(  # the batch is not multiplied
        check="check-training",
        cell="train-py",
        old="BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync",
        new="BATCH_SIZE_PER_REPLICA",
        needs=_TRAININGS,
    ),
    CheckSabotage(  # nothing is learned
        check="check-curves",
        cell="parts-py",
        old="Adam(0.003)",
        new="Adam(0.0)",
        needs=_TRAININGS,
    ),
    CheckSabotage(  # the weights of the checkpoint are not used
        check="check-evaluate",
        cell="evaluate-py",
        old="weights=sys.argv[1]",
        new="weights=None",
        needs=("launch-two", "list-checkpoints", "launch-evaluate"),
    ),
    CheckSabotage(  # every replica has a copy after all
        check="check-central",
        cell="launch-central",
        old=" --central",
        new="",
        needs=("launch-four",),
    ),
    CheckSabotage(
        check="check-tpu",
        cell="tpu-steps",
        old="tf.tpu.experimental.initialize_tpu_system(resolver)",
        new="pass",
    ),
)

"""Faults that the check cells of notebook 07b must notice."""

from tests.course.sabotage import CheckSabotage

_LOOP = ("loop-data", "loop-variables", "loop-step", "loop-train", "one-process")
_CHECKPOINT = (
    *("loop-data", "loop-variables", "loop-step"),
    *("checkpoint-make", "checkpoint-train", "checkpoint-restore"),
)

_BATCHED = "return strategy.experimental_distribute_dataset(data.batch(64))"

_WHOLE = """options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    return strategy.experimental_distribute_dataset(data.batch(64).with_options(options))"""

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the scope is never entered",
        check="check-scope",
        cell="attempt",
        old="with strategy.scope():",
        new="if True:",
        needs=("things", "trials"),
    ),
    CheckSabotage(
        why="the model was created outside",
        check="check-scope",
        cell="things",
        old="with strategy.scope():",
        new="if True:",
        needs=("trials",),
    ),
    CheckSabotage(
        why="each applies its own gradient",
        check="check-extended",
        cell="update",
        old='strategy.extended.reduce_to("SUM", gradient, destinations=weight)',
        new="gradient",
        needs=("extended",),
    ),
    CheckSabotage(
        why="the gradients are not shared",
        check="check-loop",
        cell="loop-step",
        old='tf.distribute.get_replica_context().all_reduce("SUM", gradients)',
        new="gradients",
        needs=_LOOP,
    ),
    CheckSabotage(
        why="the loss is averaged over the rows of the replica",
        check="check-loop",
        cell="loop-step",
        old='context.all_reduce("SUM", tf.cast(tf.shape(x)[0], tf.float32))',
        new="tf.cast(tf.shape(x)[0], tf.float32)",
        needs=_LOOP,
    ),
    CheckSabotage(
        why="the workers train on doubled data",
        check="check-loop",
        cell="loop-data",
        old="list(train_data)",
        new="list(train_data) * 2",
        needs=_LOOP,
    ),
    CheckSabotage(
        why="both workers read all the rows",
        check="check-loop",
        cell="loop-data",
        old=_BATCHED,
        new=_WHOLE,
        needs=_LOOP,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-loop",
        cell="loop-step",
        old="weight.assign_sub(0.3 * gradient)",
        new="weight.assign_sub(0.0 * gradient)",
        needs=_LOOP,
    ),
    CheckSabotage(
        why="each worker has its own metric",
        check="check-test",
        cell="test-metric",
        old="%%mw_scope",
        new="%%mw",
        needs=(*_LOOP, "test-loop"),
    ),
    CheckSabotage(
        why="nothing is restored",
        check="check-checkpoint",
        cell="checkpoint-restore",
        old="checkpoint.restore(manager.latest_checkpoint).assert_existing_objects_matched()",
        new="pass",
        needs=_CHECKPOINT,
    ),
    CheckSabotage(
        why="it is restored outside of the scope",
        check="check-checkpoint",
        cell="checkpoint-restore",
        old="with strategy.scope():",
        new="if True:",
        needs=_CHECKPOINT,
    ),
)

"""Faults that the check cells of notebook 12b must notice."""

from tests.course.sabotage import CheckSabotage

_SERVERS = ("servers-py", "launch-servers", "servers-picture")
_OLD = ("half-py", "old-py", "launch-old", "see-old")
_TODAY = ("today", "see-today")

_FROM_PIPELINES = (
    'data = rows_of("train").shard(context.num_input_pipelines, context.input_pipeline_id)'
)

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the training ends earlier",
        check="check-servers",
        cell="servers-py",
        old="max_steps=150",
        new="max_steps=100",
        needs=_SERVERS,
    ),
    CheckSabotage(
        why="each counts its own steps",
        check="check-servers",
        cell="servers-py",
        old="self.steps.append(int(context.session.run(self.step)))",
        new="self.steps.append(len(self.steps) + 1)",
        needs=_SERVERS,
    ),
    CheckSabotage(
        why="both pipelines give the same rows",
        check="check-old",
        cell="old-py",
        old=_FROM_PIPELINES,
        new='data = rows_of("train")',
        needs=_OLD,
    ),
    CheckSabotage(
        why="the loss is divided by a replica's batch",
        check="check-old",
        cell="old-py",
        old="/ (2 * BATCH)  # the global",
        new="/ BATCH  # the global",
        needs=_OLD,
    ),
    CheckSabotage(
        why="the gradients travel in 32 bits",
        check="check-old",
        cell="half-py",
        old="[(tf.cast(gradient, tf.float16), weight)",
        new="[(gradient, weight)",
        needs=_OLD,
    ),
    CheckSabotage(
        why="the program leaves the choice to TensorFlow",
        check="check-old",
        cell="old-py",
        old="CollectiveCommunication.NCCL",
        new="CollectiveCommunication.AUTO",
        needs=_OLD,
    ),
    CheckSabotage(
        why="the numbers are constants in the graph",
        check="check-old",
        cell="old-py",
        old="strategy.experimental_make_numpy_dataset(numbers, session=session)",
        new="tf.data.Dataset.from_tensor_slices(numbers)",
        needs=_OLD,
    ),
    CheckSabotage(
        why="the class of TensorFlow 1",
        check="check-today",
        cell="today",
        old="kind = tf.distribute.MultiWorkerMirroredStrategy",
        new="kind = v1.distribute.experimental.MultiWorkerMirroredStrategy",
        needs=_TODAY,
    ),
    CheckSabotage(
        why="each worker has all rows",
        check="check-today",
        cell="today",
        old="rows = tf.data.Dataset.range(8).shard"
        "(context.num_input_pipelines, context.input_pipeline_id)",
        new="rows = tf.data.Dataset.range(8)",
        needs=_TODAY,
    ),
    CheckSabotage(
        why="the model is made outside of the scope",
        check="check-moved",
        cell="move",
        old="with strategy.scope():\n    together",
        new="if True:\n    together",
    ),
    CheckSabotage(
        why="the batch of a replica",
        check="check-moved",
        cell="move",
        old="def keras_rows(batch=64)",
        new="def keras_rows(batch=32)",
    ),
)

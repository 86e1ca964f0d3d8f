"""Faults that the check cells of lesson 06 must notice."""

from tests.course.sabotage import CheckSabotage

_VALIDATION = ("fit", "rows-picture")
_STATE = ("fit", "rows-picture", "state", "halves", "combine")
_PARTIAL = (*_STATE, "batches")
_STEPS = ("hear", "variants", "counts-picture")
_PREDICT = ("fit", "rows-picture", "halves", "predictions")
_BESIDE = ("beside-py", "launch-beside", "beside-picture")
_SIDECAR = ("beside-py", "sidecar-py", "launch-sidecar")
_STALE = (*_BESIDE, "yesterday", "renamed")

_BATCHED = "return tf.data.Dataset.from_tensor_slices((test_x, test_y)).batch(batch)"

_WHOLE = """data = tf.data.Dataset.from_tensor_slices((test_x, test_y)).batch(batch)
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    return data.with_options(options)"""

CHECK_SABOTAGES = (
    CheckSabotage(
        why="each worker trains and evaluates its own model",
        check="check-validation",
        cell="model",
        old="%%mw_scope",
        new="%%mw",
        needs=_VALIDATION,
    ),
    CheckSabotage(
        why="each trains its own model from equal seeds: both report the same",
        check="check-validation",
        cell="model",
        old="%%mw_scope",
        new="%%mw\ntf.keras.utils.set_random_seed(1)",
        needs=_VALIDATION,
    ),
    CheckSabotage(
        why="both workers evaluate all the rows",
        check="check-validation",
        cell="module-py",
        old=_BATCHED,
        new=_WHOLE,
        needs=_VALIDATION,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-validation",
        cell="module-py",
        old="learning_rate.assign(0.1)",
        new="learning_rate.assign(0.0)",
        needs=_VALIDATION,
    ),
    CheckSabotage(
        why="each worker has its own metrics",
        check="check-state",
        cell="model",
        old="%%mw_scope",
        new="%%mw",
        needs=_STATE,
    ),
    CheckSabotage(
        why="the last, partial batch is left out",
        check="check-state",
        cell="state",
        old="test()",
        new="test().take(4)",
        needs=_STATE,
    ),
    CheckSabotage(
        why="both workers also evaluate all the rows alone",
        check="check-state",
        cell="halves",
        old="test_x[mine], test_y[mine]",
        new="test_x, test_y",
        needs=_STATE,
    ),
    CheckSabotage(
        why="each worker evaluates alone",
        check="check-partial",
        cell="batches",
        old="model.evaluate",
        new="alone.evaluate",
        needs=_PARTIAL,
    ),
    CheckSabotage(
        why="every row counts twice, which the result does not show",
        check="check-partial",
        cell="batches",
        old="test(batch)",
        new="test(batch).repeat(2)",
        needs=_PARTIAL,
    ),
    CheckSabotage(
        why="the data is not repeated",
        check="check-steps",
        cell="variants",
        old="test().repeat(), 6",
        new="test(), 6",
        needs=_STEPS,
    ),
    CheckSabotage(
        why="the data does not run out",
        check="check-steps",
        cell="variants",
        old='"6 steps": validated(test(), 6)',
        new='"6 steps": validated(test(), 5)',
        needs=_STEPS,
    ),
    CheckSabotage(
        why="each worker evaluates all the rows",
        check="check-steps",
        cell="model",
        old="%%mw_scope",
        new="%%mw",
        needs=_STEPS,
    ),
    CheckSabotage(
        why="the data has an end",
        check="check-endless",
        cell="endless",
        old="test().repeat()",
        new="test()",
    ),
    CheckSabotage(
        why="each worker predicts everything",
        check="check-predict",
        cell="predictions",
        old="model.predict",
        new="alone.predict",
        needs=_PREDICT,
    ),
    CheckSabotage(
        why="the data comes in a different order",
        check="check-predict",
        cell="predictions",
        old="test().map",
        new="test().shuffle(5, seed=1).map",
        needs=_PREDICT,
    ),
    CheckSabotage(
        why="the evaluator restores nothing",
        check="check-beside",
        cell="beside-py",
        old="checkpoint.restore(path).expect_partial()",
        new="pass",
        needs=_BESIDE,
    ),
    CheckSabotage(
        why="no evaluator is started",
        check="check-beside",
        cell="launch-beside",
        old=" --evaluator",
        new="",
        needs=_BESIDE,
    ),
    CheckSabotage(
        why="each worker trains alone",
        check="check-beside",
        cell="beside-py",
        old="with strategy.scope():",
        new='with tf.distribute.OneDeviceStrategy("CPU:0").scope():',
        needs=_BESIDE,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-beside",
        cell="module-py",
        old="learning_rate.assign(0.1)",
        new="learning_rate.assign(0.0)",
        needs=_BESIDE,
    ),
    CheckSabotage(
        why="the evaluator beside the cluster evaluates other rows",
        check="check-sidecar",
        cell="sidecar-py",
        old="model, evaluated.test()",
        new="model, evaluated.training()",
        needs=_SIDECAR,
    ),
    CheckSabotage(
        why="no evaluator is started",
        check="check-sidecar",
        cell="launch-sidecar",
        old=" --evaluator",
        new="",
        needs=_SIDECAR,
    ),
    CheckSabotage(
        why="the checkpoint is restored under its own name both times",
        check="check-stale",
        cell="renamed",
        old="restored(net=fresh)",
        new="restored(model=fresh)",
        needs=_STALE,
    ),
    CheckSabotage(
        why="the evaluator uses the weights that it drew",
        check="check-stale",
        cell="beside-py",
        old="checkpoint.restore(path).expect_partial()",
        new="pass",
        needs=_STALE,
    ),
    CheckSabotage(
        why="the program evaluates only some of the rows",
        check="check-program",
        cell="trainer-py",
        old='memory("test").batch(batch)',
        new='memory("test").batch(batch).take(4)',
        needs=("train-program",),
    ),
    CheckSabotage(
        why="the program evaluates the rows that it trains on",
        check="check-program",
        cell="trainer-py",
        old='memory("test")',
        new="memory()",
        needs=("train-program",),
    ),
)

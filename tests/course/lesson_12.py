"""Faults that the check cells of notebook 12 must notice."""

from tests.course.sabotage import CheckSabotage

_ONE = ("one-train", "one-modes")
_LOSSES = (*_ONE, "check-one", "eval-losses")
_MAIN = (*_ONE, "check-one", "main-py", "launch-main", "see-evaluations", "written-by")
_VARIANTS = ("variants-py", "launch-variants", "rows-picture")
_MIRRORED = (*_ONE, "check-one", "mirrored-py", "launch-mirrored", "see-mirrored")
_EVALUATE = (*_MAIN, "check-main", "evaluate-py", "launch-evaluate")
_SERVED = (*_ONE, "check-one", "main-py", "launch-main", "served")
_SHARDED = (
    "    return data.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)"
)

CHECK_SABOTAGES = (
    CheckSabotage(
        why="nothing is learned",
        check="check-one",
        cell="model-py",
        old="GradientDescentOptimizer(0.3)",
        new="GradientDescentOptimizer(0.0)",
        needs=_ONE,
    ),
    CheckSabotage(
        why="the evaluation divides by the batch of the training",
        check="check-one",
        cell="model-py",
        old='params.get("divide by", rows)',
        new="BATCH",
        needs=_ONE,
    ),
    CheckSabotage(
        why="the model does not say what it predicts",
        check="check-one",
        cell="model-py",
        old="if mode == MODES.PREDICT:",
        new="if mode == MODES.EVAL:",
        needs=_ONE,
    ),
    CheckSabotage(
        why="the loss is a mean over rows in any case",
        check="check-eval-losses",
        cell="eval-losses",
        old='"sum / 32, 99": evaluated(99, **{"divide by": 32})',
        new='"sum / 32, 99": evaluated(99)',
        needs=_LOSSES,
    ),
    CheckSabotage(
        why="the loss is divided by the global batch, and by the number of replicas",
        check="check-main",
        cell="model-py",
        old='params.get("batch", BATCH)',
        new='params.get("batch", 2 * BATCH)',
        needs=_MAIN,
    ),
    CheckSabotage(
        why="both workers read all rows",
        check="check-main",
        cell="input-py",
        old=_SHARDED,
        new="    return data",
        needs=_MAIN,
    ),
    CheckSabotage(
        why="a worker is never started",
        check="check-main",
        cell="launch-main",
        old="%mw_launch 2",
        new="%mw_launch 1",
        needs=_MAIN,
    ),
    CheckSabotage(
        why="nobody evaluates",
        check="check-main",
        cell="launch-main",
        old=" --evaluator",
        new="",
        needs=_MAIN,
    ),
    CheckSabotage(
        why="two seeds are one",
        check="check-variants",
        cell="variants-py",
        old="lambda pipeline: pipeline)",
        new="lambda pipeline: 0)",
        needs=_VARIANTS,
    ),
    CheckSabotage(
        why="the data is not sharded",
        check="check-variants",
        cell="input-py",
        old=_SHARDED,
        new="    return data",
        needs=_VARIANTS,
    ),
    CheckSabotage(
        why="there is one worker",
        check="check-variants",
        cell="launch-variants",
        old="%mw_launch 2",
        new="%mw_launch 1",
        needs=_VARIANTS,
    ),
    CheckSabotage(
        why="the larger batch is not larger",
        check="check-variants",
        cell="variants-py",
        old='train_input_fn(input_context, 128), {"batch": 128}, 5)',
        new="train_input_fn(input_context), {}, 20)",
        needs=_VARIANTS,
    ),
    CheckSabotage(
        why="summaries, and so checkpoints",
        check="check-nothing-saved",
        cell="variants-py",
        old="save_summary_steps=None",
        new="save_summary_steps=100",
        needs=(*_MAIN, "check-main", *_VARIANTS),
    ),
    CheckSabotage(
        why="there is one replica",
        check="check-mirrored",
        cell="mirrored-py",
        old='MirroredStrategy(["CPU:0", "CPU:1"])',
        new='MirroredStrategy(["CPU:0"])',
        needs=_MIRRORED,
    ),
    CheckSabotage(
        why="the evaluation is not distributed",
        check="check-mirrored",
        cell="mirrored-py",
        old="    eval_distribute=mirrored,\n",
        new="",
        needs=_MIRRORED,
    ),
    CheckSabotage(
        why="each worker evaluates all rows",
        check="check-evaluate",
        cell="evaluate-py",
        old="return test_input_fn(input_context)",
        new="return test_input_fn()",
        needs=_EVALUATE,
    ),
    CheckSabotage(
        why="the client evaluates alone",
        check="check-evaluate",
        cell="evaluate-py",
        old='"model", experimental_distribute=together',
        new='"model", eval_distribute=mirrored',
        needs=_EVALUATE,
    ),
    CheckSabotage(
        why="what is served is not what was trained",
        check="check-served",
        cell="served",
        old="tf.constant(images)",
        new="tf.constant(255 - images)",
        needs=_SERVED,
    ),
    CheckSabotage(
        why="the training ends earlier",
        check="check-served",
        cell="main-py",
        old="max_steps=150",
        new="max_steps=100",
        needs=_SERVED,
    ),
)

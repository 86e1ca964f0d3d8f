"""Faults that the check cells of lesson 17 must notice."""

from tests.course.sabotage import CheckSabotage

_HALVES = ("halves-py", "predict-halves", "launch-halves")
_PLAIN = ("theirs-py", "predict-plain", "launch-plain")
_ZERO = (*_PLAIN, "predict-zero", "launch-zero")
_FORGOTTEN = (*_ZERO, "predict-forgotten", "launch-forgotten")
_COLLECTIVES = ("predict-collectives", "launch-collectives")
_ZERO_TF = (*_PLAIN, "zero-tf-py", "launch-zero-tf")
_STAGES = (*_PLAIN, "stages-py", "predict-stages", "launch-stages")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="chunks are passed on, and not added",
        check="check-halves",
        cell="ring-py",
        old="chunks[into] + exchange(",
        new="exchange(",
        needs=_HALVES,
    ),
    CheckSabotage(
        why="the first half is a whole all-reduce",
        check="check-halves",
        cell="halves-py",
        old="share = ring.reduce_scatter(vector)",
        new="share = ring.all_reduce(vector)[ring.shares(len(vector))[ring.me]]",
        needs=_HALVES,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-plain",
        cell="zero-py",
        old='total = ring.all_reduce(gradient) if how == "plain"',
        new='total = gradient if how == "plain"',
        needs=_PLAIN,
    ),
    CheckSabotage(
        why="TensorFlow's workers train on the same rows",
        check="check-plain",
        cell="theirs-py",
        old="rows(step, me, workers)",
        new="rows(step, 0, workers)",
        needs=_PLAIN,
    ),
    CheckSabotage(
        why="TensorFlow's workers train alone",
        check="check-plain",
        cell="theirs-py",
        old="strategy = tf.distribute.MultiWorkerMirroredStrategy()",
        new="resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()\n"
        "strategy = tf.distribute.OneDeviceStrategy('CPU:0')\n"
        "strategy.cluster_resolver = resolver",
        needs=_PLAIN,
    ),
    CheckSabotage(
        why="each worker uses its own gradient for its share",
        check="check-zero",
        cell="zero-py",
        old="else ring.reduce_scatter(gradient)",
        new="else gradient[mine]",
        needs=_ZERO,
    ),
    CheckSabotage(
        why="the new weights are not gathered",
        check="check-zero",
        cell="zero-py",
        old='if how == "zero":',
        new="if False:",
        needs=_ZERO,
    ),
    CheckSabotage(
        why="nothing is divided",
        check="check-zero",
        cell="launch-zero",
        old="args=[how]",
        new='args=["plain"]',
        needs=_ZERO,
    ),
    CheckSabotage(
        why="the all-gather is not forgotten",
        check="check-forgotten",
        cell="zero-py",
        old='if how == "zero":',
        new='if how != "plain":',
        needs=_FORGOTTEN,
    ),
    CheckSabotage(
        why="a reduction takes the largest number",
        check="check-collectives",
        cell="group-py",
        old='CollectiveReduceV2, vector, merge_op="Add"',
        new='CollectiveReduceV2, vector, merge_op="Max"',
        needs=_COLLECTIVES,
    ),
    CheckSabotage(
        why="an all-reduce takes the place of the reduce-scatter",
        check="check-collectives",
        cell="group-py",
        old="CollectiveReduceScatterV2",
        new="CollectiveReduceV2",
        needs=_COLLECTIVES,
    ),
    CheckSabotage(
        why="each worker takes only what it sent to itself",
        check="check-zero-tf",
        cell="zero-tf-py",
        old=".sum(axis=0)",
        new="[group.me]",
        needs=_ZERO_TF,
    ),
    CheckSabotage(
        why="both exchange by an all-reduce",
        check="check-sent",
        cell="launch-zero-tf",
        old="args=[name]",
        new='args=["reduce"]',
        needs=(*_COLLECTIVES, "zero-tf-py", "launch-zero-tf"),
    ),
    CheckSabotage(
        why="each stage divides one kind only",
        check="check-stages",
        cell="stages-py",
        old="if stage >= one",
        new="if stage == one",
        needs=_STAGES,
    ),
    CheckSabotage(
        why="both workers train on the same rows",
        check="check-stages",
        cell="stages-py",
        old="rows(number, me, workers)",
        new="rows(number, 0, workers)",
        needs=_STAGES,
    ),
    CheckSabotage(
        why="nothing is divided",
        check="check-stages-sent",
        cell="stages-py",
        old="if stage >= one",
        new="if stage > 3",
        needs=_STAGES,
    ),
)

"""Faults that the check cells of lesson 15 must notice."""

from tests.course.sabotage import CheckSabotage

_SUMS = ("sums-py", "predict-bytes", "launch-sums")
_TURN = ("in-turn-py", "predict-turn", "launch-turn")
_START = ("starts-py", "predict-start", "launch-start")
_SAME = ("predict-same", "launch-same")
_OVERLAP = ("predict-overlap", "launch-overlap")
_WIRE = (*_OVERLAP, "predict-wire", "launch-wire")
_TABLE = (*_WIRE, "predict-table", "launch-table")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="complete chunks are added once more",
        check="check-sums",
        cell="ring-py",
        old="chunks[into] + arrived if add else arrived",
        new="chunks[into] + arrived",
        needs=_SUMS,
    ),
    CheckSabotage(
        why="each worker keeps its own vector",
        check="check-sums",
        cell="ring-py",
        old="return np.concatenate(chunks)",
        new="return vector",
        needs=_SUMS,
    ),
    CheckSabotage(
        why="it sends and receives at the same time",
        check="check-turn",
        cell="in-turn-py",
        old="ring.exchange = in_turn\n",
        new="",
        needs=_TURN,
    ),
    CheckSabotage(
        why="nothing is shared at the start",
        check="check-start",
        cell="starts-py",
        old="weights = ring.all_reduce(weights if ring.me == 0 else np.zeros(10))",
        new="pass",
        needs=_START,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-start",
        cell="starts-py",
        old="ring.all_reduce(gradient) / ring.workers",
        new="gradient",
        needs=_START,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-same",
        cell="ours-py",
        old="    return summed\n",
        new="    return vector\n",
        needs=_SAME,
    ),
    CheckSabotage(
        why="each worker keeps its own first weights",
        check="check-same",
        cell="ours-py",
        old="    variable.assign(part.reshape(variable.shape))\n",
        new="    pass\n",
        needs=_SAME,
    ),
    CheckSabotage(
        why="TensorFlow begins with other weights",
        check="check-same",
        cell="theirs-py",
        old="seed=1 + me",
        new="seed=2",
        needs=_SAME,
    ),
    CheckSabotage(
        why="the first layers come first",
        check="check-overlap",
        cell="ours-py",
        old="reversed(range(len(variables)))",
        new="range(len(variables))",
        needs=_OVERLAP,
    ),
    CheckSabotage(
        why="there is one bucket only",
        check="check-overlap",
        cell="launch-overlap",
        old=", bucket=200_000",
        new="",
        needs=_OVERLAP,
    ),
    CheckSabotage(
        why="32 bits are sent",
        check="check-wire",
        cell="launch-wire",
        old='wire="float16"',
        new='wire="float32"',
        needs=_WIRE,
    ),
    CheckSabotage(
        why="the numbers are rounded, but sent with 32 bits",
        check="check-wire",
        cell="ours-py",
        old='vector.astype(options.wire)).astype("float32")',
        new='vector.astype(options.wire).astype("float32"))',
        needs=_WIRE,
    ),
    CheckSabotage(
        why="TensorFlow's workers train alone",
        check="check-table",
        cell="theirs-py",
        old='context.all_reduce("SUM", gradients)',
        new="gradients",
        needs=_TABLE,
    ),
)

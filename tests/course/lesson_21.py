"""Faults that the check cells of lesson 21 must notice."""

from tests.course.sabotage import CheckSabotage

_HEALTHY = ("predict-healthy", "healthy-py", "launch-healthy")
_SKIPPED = ("predict-skipped", "skipped-py", "launch-skipped")
_LOGS = ("predict-logs", "logs-py", "launch-logs")
_BOTH = ("both-py", "launch-both")
_ORDER = ("predict-order", "order-py", "launch-order")
_SLOW = ("predict-slow", "slow-py", "launch-slow")
_TRACE = (*_SLOW, "trace")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="each worker computes alone",
        check="check-healthy",
        cell="wire-py",
        old='tf.distribute.get_replica_context().all_reduce("SUM", tf.identity(x))',
        new="tf.identity(x)",
        needs=_HEALTHY,
    ),
    CheckSabotage(
        why="the workers reach a line equally often, and not at the same time",
        check="check-healthy",
        cell="healthy-py",
        old="    gradient = total(tf.ones([3]))\n    loss = total(tf.constant(0.5 + me))\n",
        new="    loss = total(tf.constant(0.5)) if me else None\n"
        "    gradient = total(tf.constant(1.0))\n"
        "    loss = loss if me else total(tf.constant(0.5))\n",
        needs=_HEALTHY,
    ),
    CheckSabotage(
        why="nobody skips a step",
        check="check-skipped",
        cell="skipped-py",
        old="continue",
        new="pass",
        needs=_SKIPPED,
    ),
    CheckSabotage(
        why="the other worker skips it",
        check="check-skipped",
        cell="skipped-py",
        old="me == 1",
        new="me == 0",
        needs=_SKIPPED,
    ),
    CheckSabotage(
        why="the chief's exchange is made by all",
        check="check-logs",
        cell="logs-py",
        old="me == 0 and step == 2",
        new="step == 2",
        needs=_LOGS,
    ),
    CheckSabotage(
        why="the exchanges of a single worker meet each other",
        check="check-logs",
        cell="logs-py",
        old="step == 6",
        new="step == 2",
        needs=_LOGS,
    ),
    CheckSabotage(
        why="both skip the same step",
        check="check-both",
        cell="both-py",
        old="(0, 4)",
        new="(0, 2)",
        needs=_BOTH,
    ),
    CheckSabotage(
        why="both exchange in one order",
        check="check-order",
        cell="order-py",
        old="me == 1 and step == 1",
        new="step == 1",
        needs=_ORDER,
    ),
    CheckSabotage(
        why="the shapes are equal",
        check="check-order",
        cell="order-py",
        old="tf.ones([2])",
        new="tf.ones([4])",
        needs=_ORDER,
    ),
    CheckSabotage(
        why="the other worker is slow",
        check="check-slow",
        cell="slow-py",
        old="0.1 * me",
        new="0.1 * (1 - me)",
        needs=_SLOW,
    ),
    CheckSabotage(
        why="each worker computes alone",
        check="check-slow",
        cell="slow-py",
        old="total(tf.ones([1000]))",
        new="tf.ones([1000])",
        needs=_SLOW,
    ),
    CheckSabotage(
        why="the other worker is slow",
        check="check-trace",
        cell="slow-py",
        old="0.1 * me",
        new="0.1 * (1 - me)",
        needs=_TRACE,
    ),
    CheckSabotage(
        why="the trace is of another run",
        check="check-trace",
        cell="trace",
        old="--name slow",
        new="--name healthy",
        needs=(*_HEALTHY, *_TRACE),
    ),
)

"""Faults that the check cells of lesson 19 must notice."""

from tests.course.sabotage import CheckSabotage

_PASSES = ("predict-passes", "launch-passes")
_STEPS = ("predict-steps", "launch-steps")
_BREAK = (*_STEPS, "predict-break", "launch-break")
_LARS = (*_BREAK, "your-percent", "predict-lars", "launch-lars")
_AGAIN = ("again-py", "predict-again", "launch-again")
_SEEDS = ("seeds-py", "predict-seeds", "launch-seeds")
_ORDERS = ("predict-orders", "launch-orders", "your-compare")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="only the last pass counts",
        check="check-passes",
        cell="large-py",
        old="totals = [total + one for total, one in"
        " zip(totals, gradients_of_a_pass(part, answers))]",
        new="totals = gradients_of_a_pass(part, answers)",
        needs=_PASSES,
    ),
    CheckSabotage(
        why="each pass is exchanged",
        check="check-passes",
        cell="launch-passes",
        old='large("16:0.0025", steps=10, name="passes")',
        new='large("1:0.0025", steps=160, name="passes")',
        needs=_PASSES,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-passes",
        cell="large-py",
        old='    totals = tf.distribute.get_replica_context().all_reduce("SUM", totals)\n',
        new="",
        needs=_PASSES,
    ),
    CheckSabotage(
        why="the rate is not scaled",
        check="check-steps",
        cell="launch-steps",
        old='"4:0.01"',
        new='"4:0.0025"',
        needs=_STEPS,
    ),
    CheckSabotage(
        why="sums instead of means: the step grows with the batch",
        check="check-steps",
        cell="large-py",
        old="tf.cast(len(x) * workers, tf.float32)",
        new="32.0",
        needs=_STEPS,
    ),
    CheckSabotage(
        why="there is no warm-up",
        check="check-break",
        cell="launch-break",
        old='"16:0.04:12"',
        new='"16:0.04:0"',
        needs=_BREAK,
    ),
    CheckSabotage(
        why="both have a warm-up",
        check="check-break",
        cell="launch-break",
        old='"16:0.04", "16:0.04:12"',
        new='"16:0.04:13", "16:0.04:12"',
        needs=_BREAK,
    ),
    CheckSabotage(
        why="the ratio is not used",
        check="check-lars",
        cell="large-py",
        old="length = fraction * ratios[-1] if lars else rate",
        new="length = 4 * fraction if lars else rate",
        needs=_LARS,
    ),
    CheckSabotage(
        why="one seed is missing",
        check="check-again",
        cell="launch-again",
        old='again("second", "seed", "deterministic")',
        new='again("second")',
        needs=_AGAIN,
    ),
    CheckSabotage(
        why="determinism is not switched on",
        check="check-again",
        cell="launch-again",
        old='refusal = again("unseeded", "deterministic")',
        new='refusal = again("unseeded")',
        needs=_AGAIN,
    ),
    CheckSabotage(
        why="each worker has its own seed",
        check="check-seeds",
        cell="seeds-py",
        old='("equal", 7)',
        new='("equal", 9 + me)',
        needs=_SEEDS,
    ),
    CheckSabotage(
        why="all workers have one seed",
        check="check-seeds",
        cell="seeds-py",
        old='("own", 7 + me)',
        new='("own", 7)',
        needs=_SEEDS,
    ),
    CheckSabotage(
        why="the additions are the same",
        check="check-float",
        cell="float",
        old="numbers[::-1]",
        new="numbers",
    ),
    CheckSabotage(
        why="one worker only",
        check="check-orders",
        cell="launch-orders",
        old="workers=n, rows=48 // n,",
        new="workers=1, rows=48,",
        needs=_ORDERS,
    ),
    CheckSabotage(
        why="no row is lost",
        check="check-orders",
        cell="launch-orders",
        old="rows=47",
        new="rows=48",
        needs=_ORDERS,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-orders",
        cell="large-py",
        old='    totals = tf.distribute.get_replica_context().all_reduce("SUM", totals)\n',
        new="",
        needs=_ORDERS,
    ),
)

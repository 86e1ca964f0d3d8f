"""Faults that the check cells of notebook 10 must notice."""

from tests.course.sabotage import CheckSabotage

_LINKS = ("prepare", "measure-links")
_BYTES = ("start-others", "prepare-others", *_LINKS, "count-bytes")
_SCALING = ("start-others", "prepare", "prepare-others", "measure-scaling")

_GRADIENTS = "tape.gradient(loss, variables)"
_EXCHANGED = f'context.all_reduce("SUM", {_GRADIENTS})'
_IN_HALVES = f"""[
            tf.cast(one, tf.float32) for one in context.all_reduce(
                "SUM", [tf.cast(one, tf.float16) for one in {_GRADIENTS}]
            )
        ]"""

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the links are not made slower",
        check="check-links",
        cell="measure-links",
        old="    set_links(link)\n",
        new="",
        needs=_LINKS,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-links",
        cell="perf-py",
        old=_EXCHANGED,
        new=_GRADIENTS,
        needs=_LINKS,
    ),
    CheckSabotage(
        why="a naive exchange: each worker gets all gradients of all, and adds them up",
        check="check-bytes",
        cell="perf-py",
        old=_EXCHANGED,
        new=f"[tf.reduce_sum(context.all_gather(one[None], 0), 0) for one in {_GRADIENTS}]",
        needs=_BYTES,
    ),
    CheckSabotage(
        why="the gradients are halved before they are sent",
        check="check-bytes",
        cell="perf-py",
        old=_EXCHANGED,
        new=_IN_HALVES,
        needs=_BYTES,
    ),
    CheckSabotage(
        why="all links are fast",
        check="check-scaling",
        cell="measure-scaling",
        old='"40mbit": 40e6, "400mbit": 400e6',
        new='"4gbit": 4e9, "400mbit": 400e6',
        needs=_SCALING,
    ),
    CheckSabotage(
        why="nobody exchanges anything",
        check="check-scaling",
        cell="perf-py",
        old=_EXCHANGED,
        new=_GRADIENTS,
        needs=_SCALING,
    ),
    CheckSabotage(
        why="the threads are not limited",
        check="check-threads",
        cell="start-others",
        old=" --threads 1",
        new=" --threads 3",
        needs=("measure-threads", "too-late"),
    ),
    CheckSabotage(
        why="nothing is set too late",
        check="check-threads",
        cell="too-late",
        old="set_intra_op_parallelism_threads(2)",
        new="get_intra_op_parallelism_threads()",
        needs=("start-others", "measure-threads"),
    ),
    CheckSabotage(
        why="nothing is traced",
        check="check-trace",
        cell="trace",
        old="step(*mine)",
        new="pass",
        needs=("prepare",),
    ),
    CheckSabotage(
        why="the other worker is traced, into another place",
        check="check-trace",
        cell="trace",
        old='start("trace")',
        new='start("elsewhere")',
        needs=("prepare",),
    ),
    CheckSabotage(
        why="the other worker is late",
        check="check-late",
        cell="late",
        old="task_index == {late}",
        new="task_index != {late}",
        needs=("prepare", "ledger"),
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-late",
        cell="perf-py",
        old=_EXCHANGED,
        new=_GRADIENTS,
        needs=("prepare", "late", "ledger"),
    ),
    CheckSabotage(
        why="nobody pulls a cable",
        check="check-cable",
        cell="pull-cable",
        old='run.unplug("worker:1")',
        new="pass",
        needs=("prepare",),
    ),
    CheckSabotage(
        why="the cable stays in place only for a moment",
        check="check-cable",
        cell="pull-cable",
        old="    time.sleep(1)\n",
        new="",
        needs=("prepare",),
    ),
    CheckSabotage(
        why="all workers come",
        check="nobody-came",
        cell="nobody-came",
        old="if is_chief:",
        new="if True:",
        needs=("start-others",),
    ),
    CheckSabotage(
        why="a step has as many rows as before",
        check="check-program",
        cell="train-program",
        old="trainer.PER_WORKER, ends = rows, []",
        new="ends = []",
        needs=("trainer-py",),
    ),
)

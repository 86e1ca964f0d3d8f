"""Faults that the check cells of lesson 20 must notice."""

from tests.course.sabotage import CheckSabotage

_HAND = ("predict-by-hand", "launch-by-hand")
_ELASTIC = (*_HAND, "your-undone", "predict-elastic", "launch-elastic")
_ROWS = (*_ELASTIC, "predict-rows", "launch-rows")
_BACKGROUND = ("background-py", "predict-background", "launch-background")
_SHARDS = ("shards-py", "predict-shards", "launch-shards")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the workers train alone",
        check="check-by-hand",
        cell="elastic-py",
        old='tf.distribute.get_replica_context().all_reduce("SUM", gradients)',
        new="gradients",
        needs=_HAND,
    ),
    CheckSabotage(
        why="nothing is restored",
        check="check-by-hand",
        cell="elastic-py",
        old="    checkpoint.restore(manager.latest_checkpoint)",
        new="    pass",
        needs=_HAND,
    ),
    CheckSabotage(
        why="both workers train on the same rows",
        check="check-by-hand",
        cell="elastic-py",
        old="mine = whole[me::workers]",
        new="mine = whole[: len(whole) // workers]",
        needs=_HAND,
    ),
    CheckSabotage(
        why="the run is not elastic, so it ends with the fault",
        check="check-elastic",
        cell="launch-elastic",
        old='"--keep", "share", elastic="1:2")',
        new='"--keep", "share")\nlaunch("share", "--keep", "share", workers=1, continues=True)',
        needs=_ELASTIC,
    ),
    CheckSabotage(
        why="no worker is lost",
        check="check-elastic",
        cell="launch-elastic",
        old='"--lost", "35", ',
        new="",
        needs=_ELASTIC,
    ),
    CheckSabotage(
        why="the batch of all workers stays",
        check="check-elastic",
        cell="launch-elastic",
        old='"--keep", "share", ',
        new="",
        needs=_ELASTIC,
    ),
    CheckSabotage(
        why="each worker continues in its own shard",
        check="check-rows",
        cell="elastic-py",
        old="mine = whole[me::workers]",
        new="mine = order[me::workers][begin : begin + batch // workers]",
        needs=_ROWS,
    ),
    CheckSabotage(
        why="the position is stored in rows after all",
        check="check-rows",
        cell="launch-rows",
        old='"--position", "steps", ',
        new="",
        needs=_ROWS,
    ),
    CheckSabotage(
        why="undone steps are counted",
        check="check-rows",
        cell="counted",
        old="if step < begins",
        new="if step < 60",
        needs=_ROWS,
    ),
    CheckSabotage(
        why="nothing is saved in the background",
        check="check-background",
        cell="background-py",
        old="experimental_enable_async_checkpoint=background",
        new="experimental_enable_async_checkpoint=False",
        needs=_BACKGROUND,
    ),
    CheckSabotage(
        why="nobody waits for the thread",
        check="check-background",
        cell="background-py",
        old="        checkpoint.sync()\n",
        new="",
        needs=_BACKGROUND,
    ),
    CheckSabotage(
        why="worker 0 writes everything",
        check="check-shards",
        cell="shards-py",
        old="for at in range(me, ARRAYS, workers)}",
        new="for at in range(ARRAYS) if me == 0}",
        needs=_SHARDS,
    ),
    CheckSabotage(
        why="a half checkpoint counts",
        check="check-shards",
        cell="shards-py",
        old="if len(paths) == key[1]]",
        new="]",
        needs=_SHARDS,
    ),
    CheckSabotage(
        why="nothing is restored",
        check="check-shards",
        cell="shards-py",
        old="weights[int(at)].assign(part[at])",
        new="pass",
        needs=_SHARDS,
    ),
)

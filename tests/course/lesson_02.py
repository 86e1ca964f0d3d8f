"""Faults that the check cells of lesson 02 must notice."""

from tests.course.sabotage import CheckSabotage

CHECK_SABOTAGES = (
    CheckSabotage(
        check="check-copy",
        cell="check-copy",
        old="env=environment",
        new="env={**os.environ}",
        needs=("copy",),
    ),
    CheckSabotage(  # the first worker joins no cluster
        check="check-first-waits",
        cell="together",
        old="strategy = tf",
        new='import os\nos.environ.pop("TF_CONFIG")\nstrategy = tf',
        needs=("start-first",),
    ),
    CheckSabotage(  # one of the three is correct, and joins
        check="check-wrong-companions",
        cell="wrong-companions",
        old='start("early.py"',
        new='start("together.py"',
        needs=("start-first", "early", "wrong-companions"),
    ),
    CheckSabotage(  # each worker keeps its own number
        check="check-by-hand",
        cell="together",
        old='tf.distribute.get_replica_context().all_reduce("SUM", mine)',
        new="mine",
        needs=("start-first", "start-second"),
    ),
    CheckSabotage(  # the GPUs are not hidden
        check="check-by-hand",
        cell="start",
        old=', "CUDA_VISIBLE_DEVICES": "-1"',
        new="",
        needs=("start-first", "start-second"),
    ),
    CheckSabotage(  # the variable is not exported, so the program runs as a single process
        check="check-shells",
        cell="shells",
        old='f"export TF_CONFIG=',
        new='f"TF_CONFIG=',
        needs=("start-first", "start-second", "check-by-hand"),
    ),
    CheckSabotage(  # a process is left
        check="end-all",
        cell="end-all",
        old='print("still',
        new=('started.append(subprocess.Popen(["sleep", "9"]))\nprint("still'),
    ),
    CheckSabotage(  # a task is never started
        check="check-launch",
        cell="launch",
        old="%mw_launch 2",
        new="%mw_launch 1",
        needs=("start-first", "start-second", "check-by-hand", "launch"),
    ),
    CheckSabotage(
        check="check-left-over",
        cell="set-left-over",
        old='os.environ["TF_CONFIG"] =',
        new="left_over =",
        needs=("set-left-over", "refused"),
    ),
    CheckSabotage(
        check="check-roles",
        cell="launch-roles",
        old=" --evaluator",
        new="",
        needs=("roles", "launch-roles"),
    ),
    CheckSabotage(  # there is no chief: worker 0 has its duties
        check="check-chief",
        cell="launch-chief",
        old=" --chief",
        new="",
        needs=("start-first", "start-second", "launch", "launch-chief"),
    ),
    CheckSabotage(  # every process has a place
        check="check-no-ps",
        cell="launch-ps",
        old="chief=True, ps=1",
        new="chief=True",
        needs=("start-first", "start-second", "launch", "launch-chief", "check-chief", "launch-ps"),
    ),
    CheckSabotage(  # one worker with one device
        check="check-per-machine",
        cell="launch-one-worker",
        old="-- 2",
        new="-- 1",
        needs=("per-machine-py", "launch-two-workers", "launch-one-worker", "see-per-machine"),
    ),
)

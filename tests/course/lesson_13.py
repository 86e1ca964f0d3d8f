"""Faults that the check cells of lesson 13 must notice."""

from tests.course.sabotage import CheckSabotage

_KERAS = ("train-keras-py", "launch-keras", "one-keras")
_ESTIMATOR = ("train-keras-py", "one-keras", "train-estimator-py", "launch-estimator")
_MPI = ("train-keras-py", "one-keras", "launch-mpirun")
_SIXTEEN = ("train-keras-py", "one-keras")
_BROADCAST = ("train-keras-py", "launch-broadcast", "one-of-two")
_WRITERS = ("writers-py", "launch-writers")
_KILLED = ("endless-py", "launch-killed")
_MIRRORED = ("train-mirrored-py", "launch-mirrored")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="every rank trains alone",
        check="check-keras",
        cell="train-keras-py",
        old="optimizer = hvd.DistributedOptimizer(optimizer)  # 4.",
        new="",
        needs=_KERAS,
    ),
    CheckSabotage(
        why="all ranks read all rows",
        check="check-keras",
        cell="train-keras-py",
        old="data[name][hvd.rank() :: hvd.size()]",
        new="data[name]",
        needs=_KERAS,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-keras",
        cell="train-keras-py",
        old="SGD(args.rate * hvd.size())",
        new="SGD(0.0)",
        needs=_KERAS,
    ),
    CheckSabotage(
        why="nothing is broadcast",
        check="check-estimator",
        cell="train-estimator-py",
        old="hooks=[hvd.BroadcastGlobalVariablesHook(0)]",
        new="hooks=[]",
        needs=_ESTIMATOR,
    ),
    CheckSabotage(
        why="the processes under mpirun do not find each other",
        check="check-mpirun",
        cell="launch-mpirun",
        old="TF_CPP_MIN_LOG_LEVEL=3",
        new="HOROVOD_CONTROLLER=gloo HOROVOD_CPU_OPERATIONS=gloo",
        needs=_MPI,
    ),
    CheckSabotage(
        why="all ranks are on one machine",
        check="check-sixteen",
        cell="launch-sixteen",
        old=" --machines 4",
        new="",
        needs=_SIXTEEN,
    ),
    CheckSabotage(
        why="the batch of a rank is that of four ranks",
        check="check-sixteen",
        cell="launch-sixteen",
        old="--batch 4",
        new="--batch 16",
        needs=_SIXTEEN,
    ),
    CheckSabotage(
        why="MPI sets their ranks after all",
        check="check-size",
        cell="gloo-under-mpirun",
        old="HOROVOD_CONTROLLER=gloo HOROVOD_CPU_OPERATIONS=gloo",
        new="HOROVOD_CONTROLLER=mpi",
        needs=("train-keras-py", "launch-mpirun"),
    ),
    CheckSabotage(
        why="the variables are broadcast before the first step after all",
        check="check-broadcast",
        cell="train-keras-py",
        old='if args.broadcast == "first":',
        new="if True:",
        needs=_BROADCAST,
    ),
    CheckSabotage(
        why="rank 0 alone writes all the time",
        check="check-writers",
        cell="writers-py",
        old="saves(range(hvd.size()), most=500)",
        new="saves([0], most=20)",
        needs=_WRITERS,
    ),
    CheckSabotage(
        why="another rank is killed",
        check="check-killed",
        cell="launch-killed",
        old='run.kill("worker:1")',
        new='run.kill("worker:0")',
        needs=_KILLED,
    ),
    CheckSabotage(
        why="the workers train without the strategy",
        check="check-mirrored",
        cell="train-mirrored-py",
        old="with strategy.scope():",
        new="if rows := rows.shard(2, strategy.cluster_resolver.task_id):",
        needs=_MIRRORED,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-mirrored",
        cell="train-mirrored-py",
        old="SGD(RATE)",
        new="SGD(0.0)",
        needs=_MIRRORED,
    ),
    CheckSabotage(
        why="the steps are as long as those of one worker",
        check="check-way-out",
        cell="train-mirrored-py",
        old="SGD(RATE)",
        new="SGD(RATE / 4)",
        needs=("train-keras-py", "launch-keras", *_MIRRORED),
    ),
)

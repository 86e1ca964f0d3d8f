"""Faults that the check cells of lesson 14 must notice."""

from tests.course.sabotage import CheckSabotage

_EXPORT = ("export-slurm", "export-kubernetes", "export-refused")
_EXEC = ("launch-main", "by-slurm", "break-exec", "pod-py", "by-kubernetes")
_SIXTEEN = ("sixteen-py", "launch-sixteen", "sixteen-picture")
_LAYERS = ("layers-py", "launch-layers", "layers-picture")
_HALVES = (*_LAYERS, "check-layers", "halves-py", "launch-halves")

#: Each process divides its own processor instead of sharing one with the other process.
_ALONE = """
os.environ |= {"DTENSOR_JOBS": "", "DTENSOR_NUM_CLIENTS": "1", "DTENSOR_CLIENT_ID": "0"}
half = tf.config.LogicalDeviceConfiguration()
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [half, half])
dtensor.initialize_accelerator_system("CPU")
"""

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the file is for three workers",
        check="check-export",
        cell="export-kubernetes",
        old="export 4",
        new="export 3",
        needs=_EXPORT,
    ),
    CheckSabotage(
        why="Slurm starts something else",
        check="check-export",
        cell="export-slurm",
        old="main.py",
        new="pod.py",
        needs=_EXPORT,
    ),
    CheckSabotage(
        why="nothing is refused",
        check="check-export",
        cell="export-refused",
        old=" --restarts 3",
        new="",
        needs=_EXPORT,
    ),
    CheckSabotage(
        why="the workers train alone, each from its own weights",
        check="check-exec",
        cell="main-py",
        old="trainer.train(strategy)",
        new='trainer.train(tf.distribute.OneDeviceStrategy("CPU:0"))',
        needs=_EXEC,
    ),
    CheckSabotage(
        why="Slurm has one task only",
        check="check-exec",
        cell="by-slurm",
        old='"SLURM_STEP_NUM_TASKS": "2"',
        new='"SLURM_STEP_NUM_TASKS": "1"',
        needs=_EXEC,
    ),
    CheckSabotage(
        why="the script knows its task after all",
        check="check-exec",
        cell="break-exec",
        old='"SLURM_PROCID": "0"',
        new='"SLURM_PROCID": "7"',
        needs=_EXEC,
    ),
    CheckSabotage(
        why="each machine has three devices",
        check="check-sixteen",
        cell="sixteen-py",
        old="DEVICES, BATCH = 4, 64",
        new="DEVICES, BATCH = 3, 64",
        needs=_SIXTEEN,
    ),
    CheckSabotage(
        why="each replica takes its own steps",
        check="check-sixteen",
        cell="sixteen-py",
        old='context.all_reduce("SUM", tape.gradient(loss, kernel))',
        new="tape.gradient(loss, kernel)",
        needs=_SIXTEEN,
    ),
    CheckSabotage(
        why="each replica takes the mean of its own rows as its share",
        check="check-sixteen",
        cell="sixteen-py",
        old="tf.reduce_sum(losses) / BATCH",
        new="tf.reduce_mean(losses)",
        needs=_SIXTEEN,
    ),
    CheckSabotage(
        why="both layers are on one worker",
        check="check-layers",
        cell="layers-py",
        old='FIRST, SECOND = "/job:worker/task:0", "/job:worker/task:1"',
        new='FIRST = SECOND = "/job:worker/task:0"',
        needs=_LAYERS,
    ),
    CheckSabotage(
        why="the gradient does not come back through the second layer",
        check="check-layers",
        cell="layers-py",
        old="output_gradients=back",
        new="output_gradients=tf.zeros_like(back)",
        needs=_LAYERS,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-layers",
        cell="layers-py",
        old="rate=0.5",
        new="rate=0.0",
        needs=_LAYERS,
    ),
    CheckSabotage(
        why="each worker has the whole first kernel",
        check="check-halves",
        cell="halves-py",
        old='put(file["hidden"], WHOLE, "half")',
        new='put(file["hidden"], WHOLE, WHOLE)',
        needs=_HALVES,
    ),
    CheckSabotage(
        why="each worker computes alone",
        check="check-halves",
        cell="halves-py",
        old='dtensor.initialize_accelerator_system("CPU")\n',
        new=_ALONE,
        needs=_HALVES,
    ),
)

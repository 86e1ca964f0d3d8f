"""Faults that the check cells of lesson 03 must notice."""

from tests.course.sabotage import CheckSabotage

_PROOF = ("single-py", "launch-single", "main-py", "launch-main", "wait-main", "results")
_PACE = ("slow-py", "launch-slow", "see-waiting", "wait-slow")
_SCOPE = ("session", "session-data", "forgotten", "inside", "fit-outside")
_SHARES = ("session", "session-data", "probe", "train-probe", "shares-picture")
_RATES = ("session", "session-data", "train-one", "make-three", "train-three", "rates-picture")

_JOINED = """strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
replicas = strategy.num_replicas_in_sync
tf.keras.utils.set_random_seed(1 + index)"""

_ALONE = """import json, os
strategy = tf.distribute.get_strategy()
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
replicas = 2
tf.keras.utils.set_random_seed(1)"""

_BATCHED = "return tf.data.Dataset.from_tensor_slices(arrays()).batch(global_batch_size)"

_WHOLE = """data = tf.data.Dataset.from_tensor_slices(arrays()).batch(global_batch_size)
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    return data.with_options(options)"""

CHECK_SABOTAGES = (
    CheckSabotage(
        why="nothing is learned",
        check="check-single",
        cell="single-py",
        old="build_and_compile_cnn_model()",
        new="build_and_compile_cnn_model(0.0)",
        needs=("launch-single",),
    ),
    CheckSabotage(
        why="each worker trains alone on all the data, with equal seeds",
        check="check-proof",
        cell="main-py",
        old=_JOINED,
        new=_ALONE,
        needs=_PROOF,
    ),
    CheckSabotage(
        why="both workers train on the same rows",
        check="check-proof",
        cell="digits-setup",
        old=_BATCHED,
        new=_WHOLE,
        needs=_PROOF,
    ),
    CheckSabotage(
        why="the seeds are equal",
        check="check-proof",
        cell="main-py",
        old="set_random_seed(1 + index)",
        new="set_random_seed(1)",
        needs=_PROOF,
    ),
    CheckSabotage(
        why="one worker does not train",
        check="check-proof",
        cell="main-py",
        old="epochs=4",
        new="epochs=4 * (index == 0)",
        needs=_PROOF,
    ),
    CheckSabotage(
        why="a task is never started",
        check="check-proof",
        cell="launch-main",
        old="%mw_launch 2",
        new="%mw_launch 1",
        needs=_PROOF,
    ),
    CheckSabotage(
        why="one worker changes its weights alone, afterward",
        check="check-proof",
        cell="main-py",
        old="final = digits_setup.flat(model)",
        new="final = digits_setup.flat(model) + 1e-3 * index",
        needs=_PROOF,
    ),
    CheckSabotage(
        why="no worker is slow",
        check="check-pace",
        cell="slow-py",
        old="(3, 0.05) if index == 1",
        new="(0, 0.0) if index == 1",
        needs=_PACE,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-pace",
        cell="slow-py",
        old="with strategy.scope():",
        new='with tf.distribute.OneDeviceStrategy("CPU:0").scope():',
        needs=_PACE,
    ),
    CheckSabotage(
        why="the model inside is created outside, too",
        check="check-scope",
        cell="inside",
        old="%%mw_scope",
        new="%%mw",
        needs=_SCOPE,
    ),
    CheckSabotage(
        why="equal seeds make three models look like one",
        check="check-scope",
        cell="forgotten",
        old="set_random_seed(task_index)",
        new="set_random_seed(1)",
        needs=_SCOPE,
    ),
    CheckSabotage(
        why="each worker trains on all the rows",
        check="check-shares",
        cell="probe",
        old="%%mw_scope",
        new="%%mw",
        needs=_SHARES,
    ),
    CheckSabotage(
        why="the learning rate is not multiplied",
        check="check-rates",
        cell="make-three",
        old="3 * 0.05",
        new="0.05",
        needs=_RATES,
    ),
    CheckSabotage(
        why="the batch size of one worker is used for all",
        check="check-rates",
        cell="train-three",
        old="32 * 3",
        new="32",
        needs=_RATES,
    ),
    CheckSabotage(
        why="the session continues",
        check="check-stop",
        cell="stop",
        old="%mw_stop session",
        new="",
        needs=("session",),
    ),
    CheckSabotage(
        why="there was no process at the start",
        check="check-stop",
        cell="stop",
        old="if task.pid]",
        new="if not task.pid]",
        needs=("session",),
    ),
    CheckSabotage(
        why="the program creates its model outside the scope",
        check="check-program",
        cell="trainer-py",
        old="with strategy.scope():",
        new="if True:",
        needs=("session", "session-data", "train-program"),
    ),
    CheckSabotage(
        why="the program batches for one worker",
        check="check-program",
        cell="trainer-py",
        old="batch = PER_WORKER * replicas",
        new="batch = PER_WORKER",
        needs=("session", "session-data", "train-program"),
    ),
)

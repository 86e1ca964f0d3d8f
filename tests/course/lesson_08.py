"""Faults that the check cells of lesson 08 must notice."""

from tests.course.sabotage import CheckSabotage

_ONE_PATH = ("one-path-save", "one-path-first", "one-path-second")
_CHIEF = ("counter", "only-chief-save", "only-chief-stacks", "only-chief-end")
_TRAINED = ("train",)
_BY_HAND = ("saving-py", *_TRAINED, "hand-save")
_SAVED = (*_TRAINED, "formats")
_LOADED = (*_SAVED, "load-inside", "load-outside")
_MANAGED = (*_TRAINED, "manager", "latest-cell")
_GONE_ON = (*_MANAGED, "new-models", "go-on")
_ALONE = (*_SAVED, "manager", "go-on-py", "launch-go-on")

_FOR_CHIEFS = """    if "chief" in jobs:  # only the task of that job
        return task_type == "chief"
"""

CHECK_SABOTAGES = (
    CheckSabotage(
        why="worker 0 is the chief, whatever other jobs there are",
        check="check-chiefs",
        cell="saving-py",
        old=_FOR_CHIEFS,
        new="",
        needs=("chiefs-cell",),
    ),
    CheckSabotage(
        why="a process without a cluster is nobody's chief",
        check="check-chiefs",
        cell="saving-py",
        old="if task_type is None:",
        new='if task_type == "":',
        needs=("chiefs-cell",),
    ),
    CheckSabotage(
        why="each worker has its own path",
        check="check-one-path",
        cell="one-path-save",
        old='prefix = "same/model"',
        new='prefix = f"same/model-{task_index}"',
        needs=_ONE_PATH,
    ),
    CheckSabotage(
        why="all workers save",
        check="check-only-chief",
        cell="only-chief-save",
        old="if is_chief:",
        new="if True:",
        needs=_CHIEF,
    ),
    CheckSabotage(
        why="nothing has to be summed to be read",
        check="check-only-chief",
        cell="counter",
        old="with strategy.scope():",
        new="if True:",
        needs=_CHIEF,
    ),
    CheckSabotage(
        why="each worker trains its own model",
        check="check-by-hand",
        cell="train",
        old="with strategy.scope():",
        new="if True:",
        needs=(*_BY_HAND, "hand-compare"),
    ),
    CheckSabotage(
        why="what is saved is not what was trained",
        check="check-by-hand",
        cell="hand-save",
        old="model.save(path)",
        new="build().save(path)",
        needs=(*_BY_HAND, "hand-compare"),
    ),
    CheckSabotage(
        why="the folders of the others are not removed",
        check="check-removed",
        cell="hand-remove",
        old="shutil.rmtree(os.path.dirname(path))",
        new="pass",
        needs=_BY_HAND,
    ),
    CheckSabotage(
        why="the chief's copy is removed as well",
        check="check-removed",
        cell="hand-remove",
        old="if not saving._is_chief(*me):",
        new="if True:",
        needs=_BY_HAND,
    ),
    CheckSabotage(
        why="the folder around it is removed",
        check="check-hand-folder",
        cell="hand-folder-save",
        old="shutil.rmtree(directory)",
        new="shutil.rmtree(os.path.dirname(directory))",
        needs=_BY_HAND,
    ),
    CheckSabotage(
        why="all workers write to one path",
        check="check-formats",
        cell="formats",
        old='with mwtutor.write_filepath("result/digits.keras") as path:',
        new='for path in ["result/digits.keras"]:',
        needs=_SAVED,
    ),
    CheckSabotage(
        why="a temporary folder is left",
        check="check-formats",
        cell="formats",
        old='with mwtutor.write_filepath("result/served") as path:',
        new='for path in ["result/served" if is_chief else f"{tempfile.mkdtemp()}/served"]:',
        needs=_SAVED,
    ),
    CheckSabotage(
        why="it is loaded outside of the scope after all",
        check="check-load",
        cell="load-inside",
        old="%%mw_scope",
        new="%%mw",
        needs=_LOADED,
    ),
    CheckSabotage(
        why="equal data make separate models look like one",
        check="check-load",
        cell="load-outside",
        old="dataset(seed=task_index)",
        new="dataset()",
        needs=_LOADED,
    ),
    CheckSabotage(
        why="all checkpoints are kept",
        check="check-manager",
        cell="manager",
        old="max_to_keep=2",
        new="max_to_keep=None",
        needs=_MANAGED,
    ),
    CheckSabotage(
        why="each worker looks for the latest in its own folder",
        check="check-manager",
        cell="latest-cell",
        old='latest_checkpoint("checkpoints")',
        new='latest_checkpoint("checkpoints" if is_chief else "temporary")',
        needs=_MANAGED,
    ),
    CheckSabotage(
        why="nothing is restored",
        check="check-go-on",
        cell="go-on",
        old='restored.restore(tf.train.latest_checkpoint("checkpoints"))',
        new="restored.restore(None)",
        needs=_GONE_ON,
    ),
    CheckSabotage(
        why="the models are made outside of the scope: each worker trains its own",
        check="check-go-on",
        cell="new-models",
        old="%%mw_scope",
        new="%%mw",
        needs=_GONE_ON,
    ),
    CheckSabotage(
        why="the training continues, but nothing is learned",
        check="check-go-on",
        cell="go-on",
        old="curves, ends, away, of_cluster = {}, {}, {}, {}",
        new="curves, ends, away, of_cluster = {}, {}, {}, {}\n"
        "for one in (model, fresh, light):\n    one.optimizer.learning_rate.assign(0.0)",
        needs=_GONE_ON,
    ),
    CheckSabotage(
        why="all workers read what the chief wrote",
        check="check-own-directory",
        cell="own-directory-restore",
        old='with mwtutor.write_filepath("checkpoints") as directory:',
        new='for directory in ["checkpoints"]:',
        needs=_GONE_ON,
    ),
    CheckSabotage(
        why="it does not load what was saved",
        check="check-one-process",
        cell="go-on-py",
        old='model = tf.keras.models.load_model("result/digits.keras")',
        new="model = tf.keras.models.clone_model("
        'tf.keras.models.load_model("result/digits.keras"))\n'
        'model.compile("adam", "sparse_categorical_crossentropy")',
        needs=_ALONE,
    ),
    CheckSabotage(
        why="it restores no checkpoint",
        check="check-one-process",
        cell="go-on-py",
        old="restore(latest)",
        new="restore(None)",
        needs=_ALONE,
    ),
    CheckSabotage(
        why="a worker's own folder is left somewhere",
        check="check-left",
        cell="manager",
        old='with mwtutor.write_filepath("checkpoints") as directory:',
        new='for directory in ["checkpoints" if is_chief else tempfile.mkdtemp()]:',
        needs=(
            "saving-py",
            *_ONE_PATH,
            *_CHIEF,
            "restart",
            *_BY_HAND,
            "hand-remove",
            "hand-folder-save",
            *_ALONE,
        ),
    ),
    CheckSabotage(
        why="the program saves a model that has learned nothing",
        check="check-program",
        cell="trainer-py",
        old="model.save(path)",
        new="build(replicas).save(path)",
        needs=("train-program", "load-program"),
    ),
    CheckSabotage(
        why="each worker leaves its own file",
        check="check-program",
        cell="trainer-py",
        old='with mwtutor.write_filepath("digits.keras") as path:',
        new='for path in ["digits.keras"] if mwtutor.is_chief() else ["other.keras"]:',
        needs=("train-program", "load-program"),
    ),
)

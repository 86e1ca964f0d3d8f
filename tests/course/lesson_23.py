"""Faults that the check cells of lesson 23 must notice."""

from tests.course.sabotage import CheckSabotage

_TENSORFLOW = ("train-py", "launch-tensorflow")
_JAX = (*_TENSORFLOW, "launch-jax")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="nothing is learned",
        check="check-tensorflow",
        cell="train-py",
        old="SGD(0.2)",
        new="SGD(0.0)",
        needs=_TENSORFLOW,
    ),
    CheckSabotage(
        why="the workers train without the strategy",
        check="check-tensorflow",
        cell="train-py",
        old="with scope:",
        new="with contextlib.nullcontext():",
        needs=_TENSORFLOW,
    ),
    CheckSabotage(
        why="each process trains alone",
        check="check-jax",
        cell="train-py",
        old="    keras.distribution.set_distribution(distribution)  # for the whole process\n",
        new="",
        needs=_JAX,
    ),
    CheckSabotage(
        why="nothing is learned on JAX",
        check="check-jax",
        cell="train-py",
        old="SGD(0.2)",
        new="SGD(0.0 if keras.backend.backend() == 'jax' else 0.2)",
        needs=_JAX,
    ),
    CheckSabotage(
        why="the workers train together after all",
        check="check-trap",
        cell="trap-py",
        old="keras.distribution.set_distribution(keras.distribution.DataParallel())",
        new="keras.utils.set_random_seed(1)",
        needs=("trap-py", "launch-trap"),
    ),
    CheckSabotage(
        why="Keras is not asked to divide the arrays",
        check="check-arrays",
        cell="launch-arrays",
        old="--name auto -- auto",
        new="--name auto -- own",
        needs=("arrays-py", "launch-arrays"),
    ),
)

"""Faults that the check cells of lesson 16 must notice."""

from tests.course.sabotage import CheckSabotage

_EVERY = ("launch-every",)
_LOCAL = (*_EVERY, "predict-local", "launch-local")
_UNLIKE = (*_EVERY, "predict-unlike", "launch-unlike")
_DILOCO = (*_LOCAL, "predict-diloco", "launch-diloco")
_TOP = (*_EVERY, "predict-top", "launch-top")
_BITS = (*_EVERY, "predict-bits", "refused-py", "launch-bits")
_LINKS = (*_DILOCO, "launch-top", "refused-py", "launch-bits", "launch-links")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the workers train alone",
        check="check-every",
        cell="every-step-py",
        old="mean(gradient(number))",
        new="gradient(number)",
        needs=_EVERY,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-every",
        cell="every-step-py",
        old="weights() - RATE",
        new="weights() - 0 * RATE",
        needs=_EVERY,
    ),
    CheckSabotage(
        why="the weights are never exchanged",
        check="check-local",
        cell="local-sgd-py",
        old="set_weights(mean(weights()))",
        new="pass",
        needs=_LOCAL,
    ),
    CheckSabotage(
        why="the weights are exchanged in every step",
        check="check-local-bytes",
        cell="local-sgd-py",
        old="every = 8",
        new="every = 1",
        needs=(*_LOCAL, "check-local"),
    ),
    CheckSabotage(
        why="all have rows of all digits",
        check="check-unlike",
        cell="work-py",
        old="np.flatnonzero(labels % workers == me)",
        new="np.arange(len(images))",
        needs=_UNLIKE,
    ),
    CheckSabotage(
        why="the outer optimizer only takes the mean",
        check="check-diloco",
        cell="diloco-py",
        old="rate, momentum = 0.7, 0.6",
        new="rate, momentum = 1.0, 0.0",
        needs=_DILOCO,
    ),
    CheckSabotage(
        why="the change is exchanged in every step",
        check="check-diloco-bytes",
        cell="diloco-py",
        old="    def exchange(self):",
        new="    every = 1\n\n    def exchange(self):",
        needs=(*_DILOCO, "check-diloco"),
    ),
    CheckSabotage(
        why="the rest is forgotten",
        check="check-top",
        cell="top-k-py",
        old="            self.rest = wanted\n",
        new="",
        needs=_TOP,
    ),
    CheckSabotage(
        why="each worker uses only what it sends",
        check="check-top",
        cell="top-k-py",
        old="zip(gather(largest), gather(values))",
        new="zip([largest], [values])",
        needs=_TOP,
    ),
    CheckSabotage(
        why="a fifth of the numbers is sent",
        check="check-top-bytes",
        cell="top-k-py",
        old="0.01, True",
        new="0.2, True",
        needs=_TOP,
    ),
    CheckSabotage(
        why="the workers train alone",
        check="check-bits",
        cell="eight-bits-py",
        old="(gather(np.array([scale])) * parts).mean(axis=0)",
        new="scale * rounded",
        needs=_BITS,
    ),
    CheckSabotage(
        why="what is refused is not refused",
        check="check-bits",
        cell="refused-py",
        old="tf.int8",
        new="tf.int32",
        needs=_BITS,
    ),
    CheckSabotage(
        why="each number travels with 32 bits",
        check="check-bits-bytes",
        cell="eight-bits-py",
        old='gather(padded.view("int32")).view("int8")',
        new='gather(padded.astype("int32"))',
        needs=(*_BITS, "check-bits"),
    ),
    CheckSabotage(
        why="the slow link has no limit, and one of the others is slow",
        check="check-links",
        cell="top-k-py",
        old="    def step(self, number):\n",
        new="    def step(self, number):\n        __import__('time').sleep(0.2)\n",
        needs=_LINKS,
    ),
    CheckSabotage(
        why="another exchange in the fast run",
        check="check-links",
        cell="launch-links",
        old='"local_sgd", "diloco"',
        new='"local_sgd:every=1", "diloco"',
        needs=_LINKS,
    ),
)

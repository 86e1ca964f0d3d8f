"""04-w4: export by hand."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import judged

_DATA = ("%%mw", ["rows = load()"], False)
_MODEL = ("%%mw_scope", ["model = build()", "metric = Mean()"], False)
_LOOK = ("%%mw --no-export", ["print(rows)"], False)
_WRONG = ("%%mw", ["fit(mdoel)"], True)
_FIT = ("%%mw", ["for epoch in range(2):", "    fit(model)"], False)
_SCOPE_LOOK = ("%%mw_scope --no-export", ["tf.Variable(0.0)"], False)
_SCOPE_WRONG = ("%%mw_scope", ["model = biuld()"], True)
_SHORT = ("%%mw_scope", ["w = tf.Variable(0.0)"], False)  # a verdict shows a short case in full
_OUTSIDE = ("%%mw", ["outsider = build()"], False)
_LOOP = ("%%mw_scope", ["for _ in range(2):", "    build()"], False)
CASES = [
    ([_OUTSIDE],),
    ([_LOOP],),
    ([_SHORT],),
    ([_LOOK],),
    ([_WRONG],),
    ([_DATA, _MODEL, _FIT],),
    ([_DATA, _LOOK, _FIT],),
    ([_MODEL, _WRONG, _FIT],),
    ([_DATA, _SCOPE_LOOK, _SCOPE_WRONG, _MODEL],),
    ([_LOOK, _WRONG],),
    ([_MODEL, _DATA, _MODEL, _SCOPE_LOOK, _FIT],),
]


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "exported_lines",
        CASES,
        "Scopes are indented, and cells that failed or have `--no-export` are left out.",
    )

"""A learner's predictions, as text and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mwtutor.exercises import Noted, Question
from mwtutor.exercises.predictions import matches, parts
from mwtutor.markup import badge, panel, row, table

_BLANK = "no prediction recorded. Replace each ... with what you expect, and run this cell again."
_TOO_LATE = "The outcome was already known, so this prediction does not count."


def prediction_text(noted: Noted) -> str:
    """The output of ``%mw_predict``."""
    kept, typed = noted.prediction, noted.typed
    if typed:
        said = f"you predict {_listed(kept.guess)}."
    elif kept.guess:
        said = f"nothing was changed. Your prediction is still {_listed(kept.guess)}."
    else:
        said = _BLANK
    if typed and kept.late:
        said += f" {_TOO_LATE}"
    elif typed and kept.guess != typed:
        said += " It can no longer be changed, because the outcome is known."
    return " ".join(filter(None, [f"{noted.id}: {said}", noted.note]))


def placement_text(questions: Sequence[Question]) -> str:
    """The output of ``%mw_place``."""
    missed = [one for one in questions if not one.right]
    if not missed:
        return f"You predicted all {len(questions)} outcomes correctly. Begin with any lesson."
    begin = f"Begin with lesson {missed[0].lesson}."
    if not any(one.prediction.counts for one in questions):
        return f"No prediction was recorded before its outcome was known. {begin}"
    right = f"{len(questions) - len(missed)} of {len(questions)}"
    lines = [f"You predicted {right} outcomes correctly. {begin}"]
    for what, counts in (("Not right", True), ("No prediction that counts", False)):
        some = [f"{q.id} (lesson {q.lesson})" for q in missed if q.prediction.counts == counts]
        lines += [f"{what}: {', '.join(some)}"] * bool(some)
    return "\n".join(lines)


class OutcomeView:
    """The output of ``%mw_outcome``: each value, next to the predicted one."""

    def __init__(self, noted: Noted) -> None:
        kept = noted.prediction
        self._number = noted.id
        found = _listed(kept.outcome)
        guessed = matches(kept.guess, kept.outcome)
        self._rows = [
            (part.name, value, part.value, "right" if hit else "not right")
            for part, value, hit in zip(parts(kept.outcome), guessed, kept.hits, strict=False)
        ]
        self._notes = [noted.note] if noted.note else []
        if not kept.guess:
            self._head = f"{found}. You recorded no prediction."
        elif not self._rows:
            self._head = (
                f"{found}. Your prediction, {_listed(kept.guess)},"
                " does not have the same parts as the result, so the two are not compared."
            )
        else:
            self._head = f"{sum(kept.hits)} of {len(kept.hits)} predicted values are right."
            if kept.late:
                self._notes.insert(0, _TOO_LATE)

    def __repr__(self) -> str:
        lines = [
            f"    {name}{': ' * bool(name)}predicted {guess}, was {found}: {how}"
            for name, guess, found, how in self._rows
        ]
        return "\n".join([f"{self._number}: {self._head}", *lines, *self._notes])

    def _repr_html_(self) -> str:
        head = f"<div>{escape(f'{self._number}: {self._head}')}</div>"
        rows = [
            row(
                escape(name),
                escape(guess),
                escape(found),
                badge(how, "ok" if how == "right" else "missing"),
            )
            for name, guess, found, how in self._rows
        ]
        shown = [table(("", "you predicted", "it was", ""), rows)] if rows else []
        notes = [f'<div class="mw-faint">{escape(note)}</div>' for note in self._notes]
        return panel(head, *shown, *notes)


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(map(str, parts(words)))

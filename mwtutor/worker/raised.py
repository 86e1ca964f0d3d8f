"""The uncaught exception that ended a program, in a few words, and where it was raised.

An error inside a ``tf.function`` comes with the whole history of the failed operation: the error
itself is at the end, and the user's line in the middle.
"""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Iterable
from typing import Any

from mwtutor import sanitize
from mwtutor.system import child
from mwtutor.worker.advice.advise import advise

#: Maximum number of characters of a message that are reported.
_TOLD = 500

#: Text that only TensorFlow and Keras put into messages.
_THEIRS = re.compile(
    r"Graph execution error:|: in user code:\n|\{\{function_node |\[\[\{\{node |\[Op:\w"
    r"|Exception encountered when calling "
)

_FRAME = re.compile(r'( *)File "([^"\n]+)", line (\d+), in (.+?)(?:  \*+)?')

#: One of mwtutor's own frames, with the empty line after it.
_OURS = re.compile(rf'^ *File "{re.escape(child.OURS)}[^"\n]*", line .*\n\n?', re.MULTILINE)

#: Lines around the cause that are left out, and lines that end the search for it.
_AROUND = re.compile(
    r"\s*(?:Graph execution error:|in user code:|<stack traces unavailable>"
    r"|Detected at node .* defined at \(most recent call last\):"
    r"|Exception encountered when calling .*"
    r"|\d+ root error\(s\) found\.)"
    r"|\t \[\[.*\]\](?: \[Op:.*)?"
)
_BEHIND = re.compile(
    r"\s*(?:Traceback \(most recent call last\):|\(1\) [A-Z_]+:|\d+ successful operations\."
    r"|(?:Call a|A)rguments received by |Additional GRPC error information from remote target )"
)

#: Text before the cause in its line, such as its number among several, and text after it.
_BEFORE = re.compile(
    r"^\s*(?:\(0\) [A-Z_]+: +)?(?:\{\{function_node \S+\}\} )?(?:Collective ops is aborted by: )?"
)
_AFTER = re.compile(r"\s*\[Op:[^\]]*\](?: name:.*)?$")

_NAMED = re.compile(r"[A-Z]\w*(?:Error|Exception): ")


def describe(error: BaseException, *, cell: bool = False) -> dict[str, Any]:
    """The exception in a few words, its place in the user's code, and advice.

    Args:
        cell: whether it was raised in a session's cell.
    """
    said = traceback.format_exception_only(type(error), error)
    message = next((text for text in said if not text.startswith(" ")), "").strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_code(frame)]
    place = next(reversed(_users(frames) or frames), None)
    if place is None and isinstance(error, SyntaxError):
        place = traceback.FrameSummary(error.filename or "", error.lineno or 0, "", line=error.text)
    whole = message
    if _THEIRS.search(message):
        place = origin(message) or place
        message = cause(message)
    if type(error).__module__.startswith(("tensorflow.", "keras.", "tf_keras.")):
        message = message.removeprefix(f"{type(error).__module__}.")
    return {
        "error": type(error).__name__,
        "message": _fitting(_shortened(sanitize.harmless(message)), 1800),
        "file": _fitting((place.filename if place else "")[-300:], 600),
        "line": place.lineno if place else None,
        "code": _fitting(((place.line if place else "") or "")[:200], 600),
        "function": place.name if place else "",
        "advice": _fitting(sanitize.harmless(advise(error, whole, place, cell=cell)), 600),
    }


def drop_our_frames(error: BaseException) -> None:
    """Remove mwtutor's frames from the history in a TensorFlow message, as from the traceback."""
    theirs = type(error).__module__.startswith("tensorflow.")
    if theirs and isinstance(said := getattr(error, "_message", None), str):
        error._message = _OURS.sub("", said)  # type: ignore[attr-defined]


def cause(message: str) -> str:
    """The cause in the message of an error inside TensorFlow: the error's name, and the reason.

    It leaves out where the operation was defined, the names by which TensorFlow knows it, and the
    arguments of the layers around it.
    """
    kept: list[str] = []
    indent: int | None = None  # the indentation of a frame whose code follows
    name, _, text = message.partition(": ")
    for line in text.splitlines():
        if frame := _FRAME.fullmatch(line):
            indent = len(frame[1])
        elif _BEHIND.match(line):
            break
        elif line.strip() and (indent is None or len(line) - len(line.lstrip(" ")) <= indent):
            indent = None
            if not _AROUND.fullmatch(line) and sanitize.harmless(line):
                kept.append(_AFTER.sub("", _BEFORE.sub("", line)).strip())
    if "in user code:" in text:
        # Every level repeats the sentence; the innermost is the error itself, with its own name.
        named = [at for at, line in enumerate(kept) if _NAMED.match(line)]
        if named:
            return " ".join(kept[named[-1] :])
    if not kept and "Exception encountered when calling " in text:
        return name  # a layer raised it without a message
    return f"{name}: {' '.join(kept)}" if kept else message


def origin(message: str) -> traceback.FrameSummary | None:
    """The user's line that a message of TensorFlow or Keras names; None if it names none."""
    first = message.split("Detected at node ", 2)[:2]
    for part in (message.partition("Traceback (most recent call last):")[2], "".join(first)):
        matches = filter(None, map(_FRAME.fullmatch, part.splitlines()))
        frames = [traceback.FrameSummary(found[2], int(found[3]), found[4]) for found in matches]
        if users := _users(filter(_is_code, frames)):
            return users[-1]
    return None


def _is_code(frame: traceback.FrameSummary) -> bool:
    return not frame.filename.startswith("<") and "__autograph_generated_file" not in frame.filename


def _users(frames: Iterable[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    return [frame for frame in frames if not child.is_installed(frame.filename)]


def _shortened(text: str) -> str:
    """The text, or its beginning and end if it is too long, because either may matter."""
    half = _TOLD // 2
    return text if len(text) <= _TOLD else f"{text[:half]} … {text[-half:]}"


def _fitting(text: str, limit: int) -> str:
    """The text, cut to ``limit`` bytes of JSON: events are sent whole or not at all."""
    while len(json.dumps(text)) > limit:
        text = text[: len(text) * 3 // 4]
    return text

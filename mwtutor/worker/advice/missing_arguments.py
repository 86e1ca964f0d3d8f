"""Which missing arguments made a program exit: the evidence, and advice.

A program that takes its place in the cluster from its arguments shows its usage and exits. An exit
with another cause, or an unknown one, gets no advice.
"""

from __future__ import annotations

import ast
import linecache
import os
import re
import traceback

#: The field that fills in an argument, by words of the argument's name; the first match counts.
_FIELDS = (
    (r"ps_?hosts?|ps_?list", "{ps}"),
    (r"workers?_?(?:hosts?|list)", "{worker}"),
    (r"index|idx|rank|task_?(?:id|number)|worker_?id", "{index}"),
    (r"job|role|type", "{type}"),
)

#: The messages of argparse, and of absl.
_MISSING = re.compile(r"the following arguments are required: (.+)")
_FLAG = re.compile(r"[Ff]lag (--\w+) must have a value")


def advise(exit_: SystemExit) -> str:
    """Which arguments were missing and how to give them, in a sentence each; empty if unknown."""
    if names := _missing(exit_):
        return _named(names)
    return _ANY if exit_.code and _looked_at_arguments(exit_) else ""


_ANY = (
    "The program exited because of its arguments. Pass its arguments after --; for arguments that"
    " differ from task to task, use, for example, --args-per-task '{index} {type}'."
)


def _missing(exit_: SystemExit) -> list[str]:
    """The required arguments, each as a user types it."""
    for frame, _ in traceback.walk_tb(exit_.__traceback__):
        code = frame.f_code
        if code.co_name == "error" and os.path.basename(code.co_filename) == "argparse.py":
            found = _MISSING.search(str(frame.f_locals.get("message", "")))
            names = found[1].split(", ") if found else []
            return [max(name.split("/"), key=len) for name in names]
    cause = exit_.__context__
    if type(cause).__module__.startswith("absl.flags"):
        return list(dict.fromkeys(_FLAG.findall(str(cause))))
    return []


def _named(names: list[str]) -> str:
    given = {name: field for name in names if (field := _field(name))}
    verb = "was" if len(names) == 1 else "were"
    means = f"The program needs {', '.join(names)}, which {verb} not given."
    others = " ".join(f"{name} VALUE" if name[0] == "-" else "VALUE" for name in names)
    if not given:
        them = "it" if len(names) == 1 else "them"
        return f"{means} Pass {them} after the program: -- {others}."
    words = [field if name[0] != "-" else f"{name} {field}" for name, field in given.items()]
    rest = "" if len(given) == len(names) else ", and the others after --"
    if "{ps}" in given.values() and '"ps"' not in os.environ.get("TF_CONFIG", ""):
        rest += "; --ps 1 adds a parameter server"
    return (
        f"{means} Give each task its own arguments with --args-per-task '{' '.join(words)}'{rest}."
    )


def _field(name: str) -> str:
    plain = name.lstrip("-").replace("-", "_").lower()
    return next((field for words, field in _FIELDS if re.search(words, plain)), "")


def _looked_at_arguments(exit_: SystemExit) -> bool:
    """Whether the exit depends on a condition on ``sys.argv``."""
    frames = traceback.extract_tb(exit_.__traceback__)
    if not frames or (last := frames[-1]).lineno is None:
        return False
    try:
        tree = ast.parse("".join(linecache.getlines(last.filename)))
    except (SyntaxError, ValueError):
        return False
    return any(
        isinstance(node, ast.If)
        and node.body[0].lineno <= last.lineno <= (node.body[-1].end_lineno or 0)
        and "argv" in ast.unparse(node.test)
        for node in ast.walk(tree)
    )

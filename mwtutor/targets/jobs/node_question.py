"""Asked on a node, before anything is started there: can it run the tasks of a run?

This text is sent to the node and executed there by the interpreter of the tasks, which may have
nothing of ours: it prints the file that our processes execute, or what is wrong and what to do.
Its words: our version; where our package is on the machine that asks; whether (empty: not) another
one will do that this interpreter would import; the directory of the tasks; their script (empty: a
module); further directories that have to be there.
"""

import importlib.util
import os
import socket
import sys


def answer(version: str, ours: str, elsewhere: str, cwd: str, script: str, *shared: str) -> str:
    """What is wrong, and the remedy; else the file to execute."""
    host = socket.gethostname()
    for directory in (cwd, *shared):
        if not os.path.isdir(directory):
            raise SystemExit(
                f"{host} has no directory {directory}."
                " Launch from a directory that all nodes share, or name one: --cwd."
            )
    if script and not os.access(os.path.join(cwd, script), os.R_OK):
        raise SystemExit(
            f"{host} cannot read {os.path.join(cwd, script)}."
            " Put the program into a directory that all nodes share."
        )
    versions = [
        (found, os.path.join(place, "_entry.py"))
        for place in (ours, *(installed() if elsewhere else ()))
        if (found := version_of(place))
    ]
    for found, entry in versions:
        if found == version:
            return entry
    if versions:
        raise SystemExit(
            f"{sys.executable} on {host} has mwtutor {versions[0][0]}, and here it is {version}."
            " Install the same version there, or name another interpreter: --python."
        )
    raise SystemExit(
        f"{sys.executable} on {host} has no mwtutor."
        " Install it there, or name another interpreter: --python."
    )


def installed() -> "list[str]":
    """Where the package is that this interpreter would import."""
    spec = importlib.util.find_spec("mwtutor")
    return list(spec.submodule_search_locations or ()) if spec else []


def version_of(place: str) -> str:
    """The version of the package in a directory; empty if there is none."""
    try:
        with open(os.path.join(place, "version.py"), encoding="utf-8") as file:
            names: dict[str, str] = {}
            exec(file.read(), names)
        return names["VERSION"]
    except (OSError, KeyError, SyntaxError):
        return ""


if __name__ == "__main__":
    del sys.path[0]  # the present directory is not where packages are installed
    print(answer(*sys.argv[1:]))

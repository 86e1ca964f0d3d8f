"""Check that a node can run the tasks of a run, before anything is started on it.

This source is sent to the node and executed by the tasks' interpreter, which may lack mwtutor.
It prints the path of the file that mwtutor's processes execute, or what is wrong and what to do.

Arguments: mwtutor's version; the directory of its package on the launching machine; whether the
package that this interpreter would import can be used instead (empty: no); the directory of the
tasks; their script (empty: a module); other directories that must exist.
"""

import importlib.util
import os
import socket
import sys


def answer(version: str, ours: str, elsewhere: str, cwd: str, script: str, *shared: str) -> str:
    """The file to execute; if the node is unfit, exit with what is wrong and what to do."""
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
            f"{sys.executable} on {host} has mwtutor {versions[0][0]}, but {version} was launched."
            " Install the same version there, or name another interpreter with --python."
        )
    raise SystemExit(
        f"{sys.executable} on {host} has no mwtutor."
        " Install it there, or name another interpreter with --python."
    )


def installed() -> "list[str]":
    """The directories of the package that this interpreter would import."""
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
    del sys.path[0]  # packages are not installed in the current directory
    print(answer(*sys.argv[1:]))

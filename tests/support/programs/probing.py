"""Run each probe in a fork of a process that has the same imports as the fork server.

The input is a JSON list of pairs (the code, and the environment variables to set). The output is a
JSON list of what each probe wrote to standard output and standard error.
"""

from __future__ import annotations

import importlib
import json
import os
import sys

from mwtutor.engines.local.preloaded import PRELOADED

for module in PRELOADED:
    importlib.import_module(module)


def printed(code: str, env: dict[str, str]) -> str:
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.close(reading)
        for fd in (1, 2):
            os.dup2(writing, fd)
        os.environ.update(env)
        try:
            exec(code, {})
            sys.stdout.flush()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, errors="replace") as said:
        text = said.read()
    os.wait()
    return text


print(json.dumps([printed(code, env) for code, env in json.loads(sys.argv[1])]))

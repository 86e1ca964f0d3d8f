"""The inherited context of a task reaches a plain process complete, with any values."""

from __future__ import annotations

import json
from dataclasses import dataclass

from mwtutor.system.child import ProcessContext


@dataclass(frozen=True)
class WithNice(ProcessContext):
    nice: int = 0


def test_a_new_field_reaches_a_plain_process():
    here = WithNice({"A": "b"}, "/", 0o22, {"7": (64, 128)}, nice=5)
    assert WithNice.from_json(json.loads(json.dumps(here.to_json()))) == here

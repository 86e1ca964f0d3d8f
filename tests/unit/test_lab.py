"""The package in ``lab/``, as far as it can be tested without building it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from mwtutor.version import VERSION

LAB = Path(__file__).parents[2] / "lab"


def test_both_packages_have_one_version():
    (python,) = re.findall(r'^version = "(.*)"', (LAB / "pyproject.toml").read_text(), re.M)
    node, lock = (json.loads((LAB / f"package{end}.json").read_text()) for end in ("", "-lock"))
    assert {python, node["version"], lock["version"]} == {VERSION}


def test_the_lock_pins_every_package_by_digest_and_names_no_registry():
    lock = json.loads((LAB / "package-lock.json").read_text())
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert len(packages) > 100
    assert [name for name, one in packages.items() if not one.get("integrity")] == []
    assert [name for name, one in packages.items() if "resolved" in one] == []

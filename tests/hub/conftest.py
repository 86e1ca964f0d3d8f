"""``make test-extra WHAT=hub`` makes an environment with JupyterHub; elsewhere there is nothing to
collect."""

from __future__ import annotations

import importlib.util

if any(importlib.util.find_spec(name) is None for name in ("jupyterhub", "playwright")):
    collect_ignore_glob = ["test_*.py"]

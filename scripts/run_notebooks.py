"""Execute the notebooks, and store the outputs that a reader sees before running anything.

    python scripts/run_notebooks.py notebooks [NAME ...]

Each notebook is executed in its own directory, with the Python files next to it. Whatever differs
between runs (times, ports, paths of this machine) is removed from the stored outputs, and only the
last frame of an updated display is kept. Cells stay unchanged if, according to their tags, they
need hardware that is missing.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from mwtutor.devices.requirements import unmet

#: The tag of cells that nbclient skips.
SKIP = "skip-execution"

#: The type of an output that is a widget, such as the buttons below a panel.
WIDGET = "application/vnd.jupyter.widget-view+json"

#: The patterns to replace in stored outputs, and their replacements.
VOLATILE = (
    (r" · (?:\d+\.\d s|\d+ min \d+ s)(?= |<|$|\n)", ""),
    (r" in \d+\.\d s", ""),
    (r"silent for \d+\.\d s", "silent"),
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
    (r" - \d+s(?= |$)", ""),
    (r"\d+m?s/(step|epoch)", r"…/\1"),
    (r"<Figure size [^>]*>", "<Figure>"),
    (r"/\S*/mwtutor-\w{8}/", "TEMPORARY/"),
    (r"/\S*/(?:site-packages|lib/python3\.\d+)/", "…/"),
    (r"(?m)^([IWE])\d{4} \d\d:\d\d:\S+ +\d+ ", r"\1 "),  # a line of a TensorFlow log
    (r"\d+\.\d GiB available", "… GiB available"),
    (r"\d{8}-\d{6}-\d{3}-", "DATE-TIME-"),
)


def main(directory: str, *names: str) -> None:
    for path in sorted(Path(directory).glob("*.ipynb")):
        if not names or {path.name, path.stem} & set(names):
            print(path.name, flush=True)
            execute(path)


def execute(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    skipped = [cell for cell in notebook.cells if any(map(unmet, cell.metadata.get("tags", [])))]
    for cell in skipped:
        cell.metadata.tags.append(SKIP)
    with tempfile.TemporaryDirectory() as where:
        for file in path.parent.glob("*.py"):  # a course author's exercises
            shutil.copy(file, where)
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": where}}).execute()
        for cell in notebook.cells:
            if cell in skipped:
                cell.metadata.tags.remove(SKIP)
            elif cell.cell_type == "code":
                cell.metadata.pop("execution", None)
                # The output of libraries on stderr depends on this machine, and the presence of
                # buttons on ipywidgets.
                shown = [o for o in cell.outputs if o.get("name") != "stderr"]
                shown = [o for o in shown if WIDGET not in o.get("data", {})]
                cell.outputs = [stable(output, where) for output in shown]
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)


def stable(value: Any, where: str) -> Any:
    """The output without the parts that would differ in another run."""
    if isinstance(value, dict):
        kept = {key: stable(item, where) for key, item in value.items() if key != "image/png"}
        images = {key: item for key, item in value.items() if key == "image/png"}
        return nbformat.from_dict({**kept, **images})
    if isinstance(value, list):
        return [stable(item, where) for item in value]
    if isinstance(value, str):
        value = value.replace(where, ".")
        for pattern, instead in VOLATILE:
            value = re.sub(pattern, instead, value)
    return value


if __name__ == "__main__":
    main(*sys.argv[1:])

"""when_imported, with real modules written to a temporary folder."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from mwtutor.system import importhook
from mwtutor.system.importhook import when_imported


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to import from; modules, hooks and actions are restored afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(importhook, "_actions", {})
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(folder: Path, name: str, code: str) -> None:
    (folder / f"{name}.py").write_text(textwrap.dedent(code))
    importlib.invalidate_caches()


def test_acts_at_once_on_an_imported_module(folder: Path) -> None:
    write(folder, "hooked_a", "value = 1")
    module = importlib.import_module("hooked_a")
    seen: list[ModuleType] = []
    when_imported("hooked_a", seen.append)
    assert seen == [module]


def test_acts_after_the_module_ran_and_before_its_importer_goes_on(folder: Path) -> None:
    write(folder, "hooked_b", "value = 1")
    write(folder, "importer_b", "from hooked_b import value")
    when_imported("hooked_b", lambda module: setattr(module, "value", module.value + 1))
    assert "hooked_b" not in sys.modules
    assert importlib.import_module("importer_b").value == 2


def test_actions_run_in_order_and_once_per_execution(folder: Path) -> None:
    write(folder, "hooked_c", "")
    calls: list[str] = []
    when_imported("hooked_c", lambda module: calls.append("first"))
    when_imported("hooked_c", lambda module: calls.append("second"))
    module = importlib.import_module("hooked_c")
    importlib.import_module("hooked_c")
    assert calls == ["first", "second"]
    importlib.reload(module)
    assert calls == ["first", "second"] * 2


def test_the_module_keeps_its_own_loader(folder: Path) -> None:
    write(folder, "plain_d", "")
    write(folder, "hooked_d", "value = 1")
    when_imported("hooked_d", lambda module: None)
    module, plain = importlib.import_module("hooked_d"), importlib.import_module("plain_d")
    assert type(module.__loader__) is type(plain.__loader__)
    assert module.__spec__ is not None
    assert module.__spec__.loader is module.__loader__
    assert inspect.getsource(module).strip() == "value = 1"


def test_a_submodule_of_a_package(folder: Path) -> None:
    (folder / "package_e").mkdir()
    (folder / "package_e" / "__init__.py").write_text("from package_e.inner import value")
    write(folder / "package_e", "inner", "value = 1")
    when_imported("package_e.inner", lambda module: setattr(module, "value", 5))
    assert importlib.import_module("package_e").value == 5


def test_an_action_that_raises_does_not_break_the_import(folder: Path) -> None:
    write(folder, "hooked_f", "value = 1")
    when_imported("hooked_f", lambda module: module.no_such_name)
    with pytest.warns(RuntimeWarning, match="could not prepare hooked_f"):
        assert importlib.import_module("hooked_f").value == 1


def test_no_action_for_an_import_that_failed(folder: Path) -> None:
    write(folder, "hooked_g", "raise ValueError('mine')")
    seen: list[ModuleType] = []
    when_imported("hooked_g", seen.append)
    with pytest.raises(ValueError, match="mine"):
        importlib.import_module("hooked_g")
    assert seen == []
    write(folder, "hooked_g", "value = 'a second try, of another length'")
    assert importlib.import_module("hooked_g") is seen[0]


def test_a_missing_module_is_still_missing(folder: Path) -> None:
    when_imported("hooked_nowhere", lambda module: None)
    with pytest.raises(ModuleNotFoundError, match="hooked_nowhere"):
        importlib.import_module("hooked_nowhere")


def test_waits_for_an_import_under_way_in_another_thread(folder: Path) -> None:
    folder_events = ModuleType("events_h")
    folder_events.begun, folder_events.go = threading.Event(), threading.Event()  # type: ignore[attr-defined]
    sys.modules["events_h"] = folder_events
    write(
        folder,
        "hooked_h",
        """
        import events_h
        events_h.begun.set()
        assert events_h.go.wait(30)
        value = 1
        """,
    )
    importing = threading.Thread(target=importlib.import_module, args=["hooked_h"])
    importing.start()
    assert folder_events.begun.wait(30)
    values: list[int] = []
    asking = threading.Thread(
        target=when_imported, args=["hooked_h", lambda module: values.append(module.value)]
    )
    asking.start()
    folder_events.go.set()
    asking.join(30)
    importing.join(30)
    # Both ways may notice the import: waiting for it, and its end.
    assert values
    assert set(values) == {1}


def test_python_m_and_tracebacks_of_a_fresh_interpreter(folder: Path) -> None:
    write(folder, "hooked_i", "def fail():\n    return 1 / 0\n")
    code = "from mwtutor.system.importhook import when_imported as w; "
    code += "w('hooked_i', lambda m: print('acted')); import hooked_i; hooked_i.fail()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": f"{folder}:{Path(importhook.__file__).parents[2]}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "acted\n"
    assert "return 1 / 0" in done.stderr
    assert "importhook.py" not in done.stderr  # Python 3.13 shows the source of -c, with its name

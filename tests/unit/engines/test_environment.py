"""What a fork cannot honour."""

from __future__ import annotations

from mwtutor.engines.environment import (
    Fingerprint,
    import_time_changes,
    import_time_settings,
)
from mwtutor.run.program import read_script


def test_settings_that_need_a_new_process():
    server = {"HOME": "/a", "OMP_NUM_THREADS": "1"}
    assert import_time_changes(server, {"HOME": "/b", "OMP_NUM_THREADS": "1"}) == ""
    assert import_time_changes(server, {"HOME": "/a"}) == (
        "OMP_NUM_THREADS acts only on a new process"
    )
    both = import_time_changes(server, {"XLA_FLAGS": "x"})
    assert both == "OMP_NUM_THREADS, XLA_FLAGS act only on a new process"


def test_a_script_that_sets_what_only_a_new_process_reads(tmp_path):
    script = tmp_path / "main.py"
    script.write_text("import os\nos.environ['XLA_FLAGS'] = '--x'\n")
    said = import_time_settings(read_script(script))
    assert said == "main.py names XLA_FLAGS, which only a new process reads"
    script.write_text("import os\nos.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n'OMP_ is a prefix'\n")
    assert import_time_settings(read_script(script)) == ""


def test_an_installed_package_changes_the_fingerprint(tmp_path, monkeypatch):
    monkeypatch.setattr("site.getsitepackages", lambda: [str(tmp_path)])
    monkeypatch.syspath_prepend(str(tmp_path))
    before = Fingerprint.now()
    assert before == Fingerprint.now()
    (tmp_path / "new_package-1.0.dist-info").mkdir()
    assert before != Fingerprint.now()

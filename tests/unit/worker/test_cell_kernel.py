"""What a worker's kernel adds to IPython's."""

from __future__ import annotations

import io
import logging
import os
import sys

from mwtutor.worker import cell_kernel


def test_variables_of_the_environment_are_as_before(monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", "mine")
    monkeypatch.delenv("ABSENT", raising=False)
    with cell_kernel._environment(IPYTHONDIR="private", ABSENT="1"):
        assert (os.environ["IPYTHONDIR"], os.environ["ABSENT"]) == ("private", "1")
    assert os.environ["IPYTHONDIR"] == "mine"
    assert "ABSENT" not in os.environ


def test_loggers_write_where_cells_print_and_others_where_they_did(monkeypatch):
    old, new, file = io.StringIO(), io.StringIO(), io.StringIO()
    of_the_stream, of_a_file = logging.StreamHandler(old), logging.StreamHandler(file)
    logger = logging.getLogger("mwtutor-tests")
    monkeypatch.setattr(logger, "handlers", [of_the_stream, of_a_file])
    monkeypatch.setattr(sys, "stderr", new)
    cell_kernel._redirect_handlers((io.StringIO(), old))
    logger.warning("said")
    assert (old.getvalue(), new.getvalue(), file.getvalue()) == ("", "said\n", "said\n")

"""One session of real workers that serves most tests of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mwtutor.cluster import ClusterSize
from tests.support.runs.live_session import Session


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, _engine: None) -> Iterator[Path]:
    before = Path.cwd()
    path = tmp_path_factory.mktemp("session")
    os.chdir(path)
    yield path
    os.chdir(before)


@pytest.fixture(scope="module")
def shared(home: Path) -> Iterator[Session]:
    session = Session(ClusterSize(2))
    yield session
    session.api.stop()
    assert session.api.run.outcome.status == "stopped"
    assert not Path(session.api.run.spec.program.target).exists(), "sockets were left"


@pytest.fixture
def session(shared: Session) -> Session:
    """The shared session, with workers whose collectives work."""
    if shared.spent or shared.api.run.outcome is not None or not shared.run("pass").ok:
        shared.restart()
    return shared


@pytest.fixture
def fresh(shared: Session) -> Iterator[Session]:
    """The shared session with new workers, which the test may break."""
    shared.restart()
    yield shared
    shared.spent = True

"""Which line requests an exchange."""

from __future__ import annotations

import sys
import threading
from multiprocessing.pool import ThreadPool
from pathlib import Path
from types import CodeType, SimpleNamespace

import pytest

from mwtutor.worker.ledger import Ledger
from mwtutor.worker.patches import origins

HERE = Path(__file__).name


@pytest.fixture
def noting(tmp_path):
    return Ledger(tmp_path / "worker-0.log", 1)


def line_of(site):
    return Path(site.place.file).name, site.place.line


def test_a_line_is_described_once_in_each_ledger(noting, tmp_path):
    other = Ledger(tmp_path / "worker-1.log", 1)
    found = []
    for ledger in (noting, noting, other, noting):
        site, ours = origins.program_line(ledger)
        found.append(site)
        assert not ours
    next_line, _ = origins.program_line(noting)
    here, number = line_of(found[0])
    assert here == HERE
    assert line_of(next_line) == (HERE, number + 3)
    assert found[0] is found[1]
    assert [site.noting is other for site in found] == [False, False, True, False]


def test_new_code_in_the_place_of_old_is_described_anew(noting):
    """Cells are such code: their code objects come and go."""
    for cell in range(200):
        known = {"origins": origins, "noting": noting}
        source = "\n" * cell + "site, _ = origins.program_line(noting)"
        exec(compile(source, f"cell-{cell}", "exec"), known)
        assert line_of(known["site"]) == (f"cell-{cell}", cell + 1)


def test_the_branches_around_a_line_are_known(noting, tmp_path):
    """A loop in a branch, or a function, is executed as a whole."""
    lines = ["def go(of, noting, at):", " for _ in range(2):", "  if at == 4:"]
    lines += ["   return of(noting)", "  elif at == 6:", "   return of(noting)", "  else:"]
    lines += ["   for _ in range(2):", "    return of(noting)"]
    file = tmp_path / "main.py"
    file.write_text("\n".join(lines))
    known = {}
    exec(compile(file.read_text(), file, "exec"), known)
    found = {at: known["go"](origins.program_line, noting, at)[0].place for at in (4, 6, 9)}
    assert [place.line for place in found.values()] == [4, 6, 9]
    assert [place.branches for place in found.values()] == [
        ((3, True),),
        ((3, False), (5, True)),
        (),
    ]


def test_a_thread_of_a_librarys_has_the_line_of_the_programs_main_thread(noting):
    found = []
    # Its frames are the library's: no code of this file is executed in it.
    thread = threading.Thread(target=found.extend, args=(map(origins.program_line, [noting]),))
    thread.start()
    thread.join()
    ((site, ours),) = found
    assert (line_of(site)[0], ours) == (HERE, False)


#: A library of three functions, one of which executes the others' work in a pool of threads.
LIBRARY = """
def exchange(find):
    return find(sys._getframe())

def inner(find):
    return exchange(find)

def pooled(find):
    def thread_fn(number):
        return exchange(find)
    return pool.map(thread_fn, [0])[0]
"""


@pytest.fixture
def library(monkeypatch):
    monkeypatch.setattr(origins, "_ways", [])
    with ThreadPool(1) as pool:
        module = SimpleNamespace(sys=sys, pool=pool)
        exec(compile(LIBRARY, "/site-packages/library.py", "exec"), vars(module))
        yield module


def test_a_line_is_found_again_by_the_code_that_leads_to_it(noting, library):
    def find(frame):
        return origins.program_line_again(noting, frame)[0]

    def callback(frame):
        return library.exchange(find)  # a line of the program's that a library calls

    found = []
    for _ in range(2):
        for call in (library.exchange, library.inner):
            found.append(call(find))
            found.append(call(callback))
    here = test_a_line_is_found_again_by_the_code_that_leads_to_it.__code__.co_firstlineno
    assert [line_of(site)[1] - here for site in found] == [10, 5, 10, 5] * 2
    assert len(origins._ways) == 2


def test_a_line_that_exchanges_in_a_pool_of_threads_is_found_from_any_thread(
    noting, library, monkeypatch
):
    consts = library.pooled.__code__.co_consts
    code = next(one for one in consts if isinstance(one, CodeType))
    monkeypatch.setattr(origins, "in_pool", code)
    found = []

    def request():
        monkeypatch.setattr(origins, "caller", sys._getframe())
        for _ in range(2):
            found.append(library.pooled(lambda frame: origins.program_line_again(noting, frame)[0]))

    thread = threading.Thread(target=request)
    thread.start()
    thread.join()
    assert [site.place.function for site in found] == ["request", "request"]
    assert found[0] is found[1]

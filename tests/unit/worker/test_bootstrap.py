"""A program ends as under ``python main.py``, whatever it raises and whatever hooks it sets."""

from __future__ import annotations

import re
import sys

import pytest

from tests.unit.worker.task import as_task, both_ways, by_hand

SAYS_GOODBYE = "import atexit, sys\natexit.register(print, 'atexit')\n"

WORDLESS = """
class Wordless(Exception):
    def __str__(self):
        raise RuntimeError("no words")
    __repr__ = __str__
"""

ENDINGS = {
    "wordless": "raise Wordless()",
    "wordless cause": "raise ValueError('last') from Wordless()",
    "wordless context": """
try:
    raise Wordless()
except Wordless:
    raise ValueError('last')
""",
    "wordless below": """
try:
    try:
        raise Wordless()
    except Wordless:
        raise KeyError('second')
except KeyError as error:
    raise ValueError('last') from error
""",
    "no truth": """
class NoTruth(Exception):
    def __bool__(self):
        raise RuntimeError("neither")
raise ValueError('last') from NoTruth()
""",
    "no notes": """
class NoNotes(Exception):
    @property
    def __notes__(self):
        raise RuntimeError("none")
raise NoNotes('last')
""",
    "odd syntax error": "raise SyntaxError('odd', (5, 'x', None, 7))",
    "huge status": "sys.exit(10**30)",
    "huge negative status": "sys.exit(-10**30)",
    "long status": "sys.exit(2**40 + 3)",
    "negative status": "sys.exit(-3)",
    "true": "sys.exit(True)",
    "wordless status": "sys.exit(Wordless())",
    "message": "sys.exit('over')",
    "message without stderr": "sys.stderr = None; sys.exit('over')",
    "hook is None": "sys.excepthook = None; raise ValueError('last')",
    "no hook": "del sys.excepthook; raise ValueError('last')",
    "hook exits": "sys.excepthook = lambda *_: sys.exit(7); raise ValueError('last')",
    "hook prints": "sys.excepthook = lambda *what: print(what[:2]); raise ValueError('last')",
    "hook forgets": "sys.excepthook = sys.__excepthook__ = None; raise ValueError('last')",
    "last value": """
atexit.register(lambda: print(sys.last_type, sys.last_value, sys.last_traceback))
raise ValueError('last')
""",
}
if sys.version_info >= (3, 11):
    ENDINGS["wordless in a group"] = "raise ExceptionGroup('many', [ValueError(1), Wordless()])"

#: Statuses that cannot be read. Python 3.12 loses the error's reason, and prints it while it exits.
UNREAD = {"huge status", "huge negative status", "wordless status"}


def lasting(printed: str) -> str:
    """The output without the parts that differ in each process: addresses, and reference counts."""
    return re.sub(r"0x[0-9a-f]+|refcount : \d+", "", printed)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_program_ends_as_under_python(tmp_path, monkeypatch, ending):
    monkeypatch.setenv("MWTUTOR_PRIVATE_NETWORK", "1")  # where errors are searched for a hint
    source = SAYS_GOODBYE + WORDLESS + ENDINGS[ending]
    plain, ours = both_ways(tmp_path, source)
    assert ours.status == plain.status
    if ending in UNREAD:
        assert set(ours.printed.splitlines()) <= set(plain.printed.splitlines())
        assert "atexit" in ours.printed
    else:
        assert lasting(ours.printed) == lasting(plain.printed)
    assert "atexit" in plain.printed
    raised = "raise " in ENDINGS[ending]
    assert ours.told[-1]["event"] == ("traceback" if raised else "program_ended")


#: The ValueError ends the program; all others are printed before or after it, in the same way.
SEVERAL_TRACEBACKS = """
import atexit, threading, traceback
class Fails:
    def __del__(self):
        raise OSError("deleted")
held = Fails()
def run():
    threading.main_thread().join()
    raise KeyError("of a thread")
threading.Thread(target=run).start()
atexit.register(lambda: 1 / 0)
try:
    raise RuntimeError("caught")
except RuntimeError:
    traceback.print_exc()
raise ValueError("the end")
"""


def test_a_task_tells_which_traceback_is_that_of_its_end(tmp_path):
    ended = as_task(tmp_path, SEVERAL_TRACEBACKS)
    assert ended.printed.count("Traceback (most recent call last):") == 5
    place = ended.told[-1]
    assert place["event"] == "traceback"
    told = ended.printed[place["begin"] : place["end"]].splitlines()
    assert told[0] == "Traceback (most recent call last):"
    assert told[-1] == "ValueError: the end"
    assert ended.printed.count("Traceback (most recent call last):", place["end"]) == 3


@pytest.mark.parametrize("module", [False, True], ids=["script", "module"])
def test_a_program_imports_what_lies_beside_it_as_under_python(tmp_path, module):
    own = ("json", "psutil", "random", "traceback", "mwtutor_beside", "os", "time")
    for name in own:
        (tmp_path / f"{name}.py").write_text("MINE = True")
    source = f"""
    import importlib
    for name in {own}:
        module = importlib.import_module(name)
        print(name, getattr(module, "__file__", None), getattr(module, "MINE", False))
    raise KeyError("last")
    """
    if module:
        plain = by_hand(tmp_path, source, "-m", "main")
        ours = as_task(tmp_path, source, "module", "main")
    else:
        plain, ours = by_hand(tmp_path, source), as_task(tmp_path, source)
    assert ours.status == plain.status == 1
    lines, theirs = ours.printed.splitlines(), plain.printed.splitlines()
    assert lines[: len(own)] == theirs[: len(own)]
    assert lines[-1] == theirs[-1] == "KeyError: 'last'"
    assert "psutil.py True" in plain.printed
    assert ours.told[-2]["event"] == "program_raised"


#: Programs that start their own workers, as launchers do: commands and functions.
STARTS_WORKERS = """
import multiprocessing, subprocess, sys
def work(status):
    sys.exit(status)
open("work.py", "w").write("import sys; sys.exit(int(sys.argv[1]))")
subprocess.run([sys.executable, "work.py", "3"])
subprocess.run(f"{sys.executable} work.py 0", shell=True)
subprocess.run(["false"])
children = [multiprocessing.get_context("fork").Process(target=work, args=(n,)) for n in (0, 4)]
for child in children:
    child.start()
    child.join()
    child.join()
"""


def test_how_the_programs_own_children_ended_is_told(tmp_path):
    ended = as_task(tmp_path, STARTS_WORKERS)
    assert ended.status == 0, ended.printed
    told = [(one["program"], one["exit"]) for one in ended.told if one["event"] == "child_ended"]
    assert told == [("work.py", 3), ("work.py", 0), ("", 0), ("", 4)]

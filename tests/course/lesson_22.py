"""Faults that the check cells of lesson 22 must notice."""

from tests.course.sabotage import CheckSabotage

_FIRST = ("open-first", "predict-first", "launch-first")
_SECOND = ("predict-second", "open-second", "launch-second")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the first program is not broken",
        check="check-first",
        cell="open-first",
        old="%mw_open 22-01",
        new="%mw_open 22-01\n"
        "text = open('broken_01.py').read()\n"
        "open('broken_01.py', 'w').write(text.replace('.Mirrored', '.MultiWorkerMirrored'))",
        needs=_FIRST,
    ),
    CheckSabotage(
        why="the repair keeps the strategy of one process",
        check="check-repaired",
        cell="repair-first",
        old="MultiWorkerMirroredStrategy",
        new="MirroredStrategy",
        needs=(*_FIRST, "launch-repaired"),
    ),
    CheckSabotage(
        why="one worker receives first, so nothing hangs there",
        check="check-second",
        cell="open-second",
        old="%mw_open 22-25",
        new="%mw_open 22-25\n"
        "text = open('broken_25.py').read()\n"
        "text = text.replace('send(mine)\\ntheirs', 'if me == 0:\\n    send(mine)\\ntheirs')\n"
        "text = text.replace('note(', 'if me == 1:\\n    send(mine)\\nnote(', 1)\n"
        "open('broken_25.py', 'w').write(text)",
        needs=(*_SECOND, "stop-second"),
    ),
    CheckSabotage(
        why="the wrong repair is a right one",
        check="check-smaller",
        cell="smaller",
        old='np.full(1000, own_number(), "f4")\nsend(mine)\ntheirs = receive(len(mine))',
        new='np.full(4_000_000, own_number(), "f4")\n'
        "if me == 0:\n    send(mine)\n"
        "theirs = receive(len(mine))\n"
        "if me == 1:\n    send(mine)",
        needs=("launch-smaller",),
    ),
    CheckSabotage(
        why="the last repair sends less",
        check="check-second-repaired",
        cell="repair-second",
        old="4_000_000",
        new="2_000_000",
        needs=("launch-second-repaired",),
    ),
)

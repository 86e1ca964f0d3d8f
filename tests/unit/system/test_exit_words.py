"""How a process ended, in words."""

from mwtutor.system.exit_words import exit_words


def test_exits_in_words():
    assert exit_words(3) == "exited with code 3"
    assert exit_words(-9) == "was killed by signal 9 (SIGKILL)"
    assert exit_words(-63) == "was killed by signal 63 (unknown)"

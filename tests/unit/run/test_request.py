"""Requests are checked before anything is started."""

import zipfile
from pathlib import Path

import pytest

from mwtutor.cluster import ClusterSize
from mwtutor.exceptions import BadInput, BadProgram, NotSupported
from mwtutor.run.keras_choice import choose
from mwtutor.run.request import LaunchRequest, Program
from tests.users import as_user, open_to_all


def request(target="main.py", kind="script", **options):
    return LaunchRequest(Program(kind, target), ClusterSize(2), **options)


def test_defaults_are_filled_in(write, work):
    write("my main.py", "")
    made = request("my main.py").checked()
    assert made.name == "my_main"
    assert made.cwd == str(work)


def test_a_network_that_there_is_not(write, work):
    write("main.py", "")
    with pytest.raises(BadInput, match="'moon' is not a network") as raised:
        request(network="moon").checked()
    assert raised.value.remedy == "Choose one of auto, private, host."


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("main.py", "def f(:\n", "main.py, line 1"),
        ("main.py", "x = '\0'", "null byte|main.py"),
        ("main.ipynb", "{}", "is a notebook"),
        (
            "main.py",
            "# coding: nonsense",
            "^main.py: (unknown encoding|encoding problem): nonsense",
        ),
    ],
)
def test_what_is_not_a_program(write, name, content, words):
    write(name, content)
    with pytest.raises(BadProgram, match=words):
        request(name).checked()


def test_a_zip_archive_is_called_one(work):
    with zipfile.ZipFile("app.zip", "w") as archive:
        archive.writestr("__main__.py", "print('here')")
    with pytest.raises(BadProgram, match=r"^app\.zip is a zip archive, ") as raised:
        request("app.zip").checked()
    assert "Unpack it" in raised.value.remedy


CLOSED = {
    "a script": ("main.py", "main.py", "", "main.py cannot be read: Permission denied"),
    "its directory": ("in", "in/main.py", "", "main.py cannot be read: Permission denied"),
    "--cwd": ("in", "main.py", "in", "in cannot be entered: Permission denied"),
    "above --cwd": ("in", "main.py", "in/sub", "in/sub cannot be entered: Permission denied"),
}


@pytest.mark.parametrize("what", CLOSED)
def test_what_is_closed_to_an_ordinary_user_is_refused(write, work, what):
    write("main.py", "")
    write("in/main.py", "")
    write("in/sub/main.py", "")
    open_to_all(work)
    closed, target, cwd, words = CLOSED[what]

    def ask() -> None:
        try:
            request(target, cwd=cwd).checked()
        except BadInput as refused:
            print(refused.problem, refused.remedy, sep="\n")

    Path(closed).chmod(0)
    done = as_user(ask)
    Path(closed).chmod(0o755)
    assert (done.code, done.stderr) == (0, "")
    problem, remedy = done.stdout.splitlines()
    assert words in problem
    assert remedy


def test_a_missing_script_and_one_that_is_like_it(write, work):
    write("main.py", "")
    (work / "folder.py").mkdir()
    with pytest.raises(BadProgram, match="no file") as raised:
        request("mian.py").checked()
    assert "main.py" in raised.value.remedy
    with pytest.raises(BadProgram, match="is not a file"):
        request("folder.py").checked()
    with pytest.raises(BadProgram, match="name of a module"):
        request("pkg/train", "module").checked()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": "../up"}, "cannot be the name"),
        ({"cwd": "/nowhere"}, "no directory"),
        ({"env": {"TF_CONFIG": "{}"}}, "TF_CONFIG cannot"),
        ({"env": {"A\0": ""}}, "name of a variable"),
        ({"timeout": -1.0}, "negative"),
    ],
)
def test_bad_options(write, options, words):
    write("main.py", "")
    with pytest.raises(BadInput, match=words):
        request(**options).checked()


@pytest.mark.parametrize("cwd", ["", "below"])
def test_a_present_directory_that_was_removed(write, work, monkeypatch, cwd):
    script = write("main.py", "")
    (work / "gone").mkdir()
    monkeypatch.chdir(work / "gone")
    (work / "gone").rmdir()
    with pytest.raises(BadInput, match="present directory has been removed"):
        request(str(script), cwd=cwd).checked()
    assert request(str(script), cwd=str(work)).checked().cwd == str(work)


def test_the_keras_of_a_program(write, work):
    import tensorflow

    write("plain.py", "import tensorflow as tf\ntf.keras.Model")
    write("beside.py", "import tensorflow as tf\ntf.estimator.RunConfig")
    write("uses.py", "import beside")
    native = tensorflow.__version__ < "2.16"
    legacy = {} if native else {"TF_USE_LEGACY_KERAS": "1"}
    assert choose(request("plain.py").checked()).env == {}
    chosen = choose(request("uses.py").checked())
    assert chosen.env == legacy
    assert chosen.words == "Keras 2, because the program uses the Estimator"
    assert choose(request("plain.py", keras="2").checked()).env == legacy
    if native:
        with pytest.raises(NotSupported, match="older than Keras 3"):
            choose(request("plain.py", keras="3").checked())
    else:
        assert choose(request("uses.py", keras="3").checked()).env == {"TF_USE_LEGACY_KERAS": "0"}

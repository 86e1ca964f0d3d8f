"""Requests are checked before anything is started."""

import ast
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.exceptions import BadInput, BadProgram, NotSupported
from mwtutor.run.request.capacity import PER_TASK, check_capacity
from mwtutor.run.request.keras_choice import choose
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.program import Script
from mwtutor.run.request.restoring import may_restore
from mwtutor.system.processors_and_memory import Limits, limits
from tests.support.machines.users import as_user, open_to_all


def request(target="main.py", **options):
    return LaunchRequest(target, **options)


def read(target="main.py", **options) -> Script | None:
    made = request(target, **options).checked()
    return made.executes.read(made.cwd)


def test_defaults_are_filled_in(write, work):
    write("my main.py", "")
    made = request("my main.py").checked()
    assert made.name == "my_main"
    assert made.cwd == str(work)


@pytest.mark.parametrize(
    ("program", "name"),
    [("./-x.py", "_x"), (".hidden.py", "_hidden"), ("-", "_"), ("a\nb.py", "a_b")],
)
def test_a_run_can_have_the_name_of_any_program(write, work, program, name):
    write(program, "")
    assert request(program).checked().name == name


@pytest.mark.parametrize("name", ["-n", "--help", "..", ".x", "a b", "x\ny"])
def test_the_remedy_for_a_name_does_not_allow_what_was_refused(write, work, name):
    write("main.py", "")
    with pytest.raises(BadInput, match="--name cannot be") as refused:
        request(name=name).checked()
    assert refused.value.remedy.endswith("'_' and '-', not beginning with '.' or '-'.")


def test_arguments_that_differ_from_task_to_task():
    asked = request(args=["--epochs", "3"], args_per_task="-i {index} '{type} {{}}' --ps={ps}")
    cluster = ClusterSize(2, chief=True, ps=2).at([f"a:{n}" for n in range(1, 6)])
    assert asked.executes.args_of(TaskId("worker", 1), cluster) == (
        *("--epochs", "3", "-i", "1", "worker {{}}", "--ps=a:4,a:5"),
    )


@pytest.mark.parametrize(
    ("text", "problem", "remedy"),
    [
        ("--index {rank}", "--args-per-task has no field {rank}.", "Use one of {type}, {index},"),
        ("'--index", '--args-per-task cannot be "\'--index".', "for example '--index {index}'."),
        (["{index}"], "--args-per-task cannot be ['{index}'].", "Write text with the fields"),
    ],
)
def test_arguments_that_no_task_can_be_given(text, problem, remedy):
    with pytest.raises(BadInput) as raised:
        request(args_per_task=text)
    assert raised.value.problem == problem
    assert remedy in raised.value.remedy


def test_a_network_that_there_is_not(write, work):
    write("main.py", "")
    with pytest.raises(BadInput, match="--network cannot be 'moon'") as raised:
        request(network="moon")
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
        read(name)


def test_a_zip_archive_is_called_one(work):
    with zipfile.ZipFile("app.zip", "w") as archive:
        archive.writestr("__main__.py", "print('here')")
    with pytest.raises(BadProgram, match=r"^app\.zip is a zip archive, ") as raised:
        read("app.zip")
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
            read(target, cwd=cwd)
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
        read("mian.py")
    assert "main.py" in raised.value.remedy
    with pytest.raises(BadProgram, match="is not a file"):
        read("folder.py")
    with pytest.raises(BadProgram, match="name of a module"):
        read("pkg/train", module=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": "../up"}, "--name cannot be '../up'"),
        ({"cwd": "/nowhere"}, "no directory"),
        ({"env": {"TF_CONFIG": "{}"}}, "TF_CONFIG cannot"),
        ({"env": {"A\0": ""}}, "name of a variable"),
        ({"env": {"A;touch x;B": "1"}}, "'A;touch x;B' cannot be the name of a variable"),
        ({"env": {"1A": "1"}}, "name of a variable"),
        ({"env": {"A\n": "1"}}, "name of a variable"),
        ({"env": {"Ä": "1"}}, "name of a variable"),
        ({"timeout": -1.0}, "--timeout cannot be -1.0"),
        ({"cwd": "~nobody-of-this-name"}, "no directory"),
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
    with pytest.raises(BadInput, match="current directory has been removed"):
        request(str(script), cwd=cwd).checked()
    assert request(str(script), cwd=str(work)).checked().cwd == str(work)


def keras_of(target, **options):
    made = request(target, **options).checked()
    return choose(made, made.executes.read(made.cwd))


def test_the_keras_of_a_program(write, work):
    write("plain.py", "import tensorflow as tf\ntf.keras.Model")
    write("beside.py", "import tensorflow as tf\ntf.estimator.RunConfig")
    write("uses.py", "import beside")
    native = version("tensorflow") < "2.16"
    legacy = {} if native else {"TF_USE_LEGACY_KERAS": "1"}
    assert keras_of("plain.py").env == {}
    chosen = keras_of("uses.py")
    assert chosen.env == legacy
    assert chosen.words == "Keras 2, because the program uses the Estimator"
    assert keras_of("plain.py", keras="2").env == legacy
    if native:
        with pytest.raises(NotSupported, match="older than Keras 3"):
            keras_of("plain.py", keras="3")
    else:
        assert keras_of("uses.py", keras="3").env == {"TF_USE_LEGACY_KERAS": "0"}


def test_more_tasks_than_a_machine_can_carry_are_asked_back():
    def check(tasks, cores, memory=1 << 50):
        check_capacity(tasks, Limits(cores, "", memory, ""))

    check(16, 2)
    with pytest.raises(BadInput, match="17 tasks are too many here: this machine has 2 processors"):
        check(17, 2)
    check(4, 0.5)  # as a container's limit may be
    with pytest.raises(BadInput, match="processors; enough for 4 tasks"):
        check(5, 0.5)
    check(2, 64, 2 * PER_TASK)
    with pytest.raises(BadInput, match=r"3 tasks .* here: 240 MiB of .*; enough for 2") as refused:
        check(3, 64, 2 * PER_TASK)
    assert refused.value.remedy.startswith("Ask for at most 2, or ")
    for nothing in ((64, 0), (0.1,)):
        with pytest.raises(BadInput, match=r"1 task is .*; not enough for one") as refused:
            check(1, *nothing)
        assert "at most" not in refused.value.remedy
    assert limits().cores >= 1
    assert 0 < limits().memory < 1 << 50


def test_who_insists_may_oversubscribe(write, monkeypatch):
    write("main.py", "pass")
    monkeypatch.setattr(
        "mwtutor.run.request.options.limits", lambda: Limits(1.0, "a quota", 1 << 50, "")
    )
    for verb in ("launch", "start"):
        with pytest.raises(
            BadInput, match=r"9 tasks .* can use 1 processor \(limited by a quota\); enough"
        ):
            request(workers=9).checked(verb)
        assert request(workers=9, oversubscribe=True).checked(verb).workers == 9


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"machines": 3}, "more machines .3. than tasks .2."),
        ({"machines": True, "network": "host"}, "so --network cannot be host"),
        ({"link": "1gbit"}, "--link sets the links of machines"),
        ({"machines": True, "link": "0gbit"}, "--link cannot be '0gbit'"),
        ({"machines": True, "link": "fast"}, "--link cannot be 'fast'"),
        ({"machines": -1}, "--machines cannot be -1"),
        ({"machines": "two"}, "--machines cannot be 'two'"),
        (
            {"machines": 65, "workers": 70, "oversubscribe": True},
            "one machine can simulate at most",
        ),
    ],
)
def test_machines_that_cannot_be(write, options, words):
    write("main.py", "")
    with pytest.raises(BadInput, match=words) as raised:
        request(**options).checked()
    assert raised.value.remedy


def test_machines_without_a_number_are_one_for_each_task(write):
    write("main.py", "")
    made = request(workers=3, ps=1, chief=True, machines=True, link="10 Gbit").checked()
    assert (made.machines, made.link) == (5, "10gbit")
    assert "--machines 5 --link 10gbit" in made.words()
    assert LaunchRequest(**made.to_json()) == made
    assert request(machines=False).machines == 0


@pytest.mark.parametrize(
    ("elastic", "options", "problem"),
    [
        ("0:2", {}, "--elastic cannot be 0:2: at least one worker must remain."),
        ("3:2", {}, "--elastic cannot be 3:2: MIN must be below MAX."),
        ("2:2", {}, "--elastic cannot be 2:2: MIN must be below MAX."),
        ("abc", {}, "--elastic cannot be 'abc'."),
        (2, {}, "--elastic cannot be 2."),
        (
            "1:3",
            {},
            "--elastic 1:3 does not fit a launch of 2 workers: MAX must be the number of workers.",
        ),
        (
            "1:2",
            {"chief": True, "ps": 1},
            "--elastic has no effect with parameter servers, where a run continues without a lost"
            " worker.",
        ),
    ],
)
def test_a_range_of_workers_that_cannot_be(elastic, options, problem):
    with pytest.raises(BadInput) as raised:
        request(workers=2, elastic=elastic, **options).checked()
    assert raised.value.problem == problem
    assert raised.value.remedy.endswith(".")


def test_a_session_is_not_elastic():
    with pytest.raises(BadInput, match="A session cannot be elastic"):
        request(workers=2, elastic="1:2").checked("start")


def test_a_range_of_workers_is_stored_in_its_shortest_form():
    made = request(workers=2, elastic="01:2").checked()
    assert (made.elastic, made.least) == ("1:2", 1)
    assert request(workers=3).least == 3


@pytest.mark.parametrize(
    ("source", "may"),
    [
        ("keras.callbacks.BackupAndRestore('backup')", True),
        ("from tensorflow.train import CheckpointManager as M", True),
        ("model.load_weights('w.h5')", True),
        ("RunConfig(model_dir='there')", True),
        ("x = mnist.load_data(); json.loads('1')\nmodel.fit(x)\nprint('checkpoint')", False),
    ],
)
def test_whether_a_script_may_restore_what_it_saved(source, may):
    assert may_restore(ast.parse(source)) is may

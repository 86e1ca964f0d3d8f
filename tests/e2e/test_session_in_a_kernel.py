"""A session in a real kernel, as a notebook uses it: from the first cell to the exported script."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from mwtutor.find_runs import find
from mwtutor.run.run import Run
from mwtutor.system.runtime_dir import runtime_dir
from tests.parity.versions import keras_versions
from tests.support.runs.notebook_kernel import Kernel
from tests.support.waiting import until, until_state

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

MODEL = """%%mw_scope
tf.keras.utils.set_random_seed(7)
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
model.compile(loss="mse", optimizer=tf.keras.optimizers.SGD(0.1))
"""

TRAIN = """%%mw
import numpy as np
x = np.linspace(0, 1, 64 * 4, dtype=np.float32).reshape(64, 4)
data = tf.data.Dataset.from_tensor_slices((x, x[:, :3])).batch(16)
history = model.fit(data, epochs=epochs, verbose=2)
"""

CAUGHT = """%%mw --chief --no-export
try:
    strategy.reduce("SUM", tf.constant(1.0), axis=None)
except tf.errors.OpError:
    pass
"""


def from_both(shown: str, line: str) -> bool:
    """Whether both workers printed this once, in one merged line, or in two if one was late."""
    each = shown.count(f"worker:0 | {line}\n"), shown.count(f"worker:1 | {line}\n")
    return (shown.count(f"all 2 workers | {line}\n"), *each) in {(1, 0, 0), (0, 1, 1)}


@pytest.fixture
def kernel(work: Path) -> Iterator[Kernel]:
    kernel = Kernel(work)
    yield kernel
    kernel.close()


def test_from_the_first_cell_to_the_exported_script(kernel, work):
    kernel.run("%load_ext mwtutor")
    assert "no session yet" in kernel.run("%%mw\n1")
    assert "session: idle" in kernel.run("%mw_start 2 --keras 2")
    assert "needs a chief" in kernel.run("%mw_start 2 --ps 1")
    assert kernel.run("%mw_stacks worker:1").startswith("main thread")
    assert "To run all cells there again: %mw_auto off" in kernel.run("%mw_auto on")
    shown = kernel.run("where = task_index\nprint('task', where)")
    assert "worker:1 | task 1\n" in shown
    assert shown.startswith("Executed on the workers")
    assert kernel.run("%%local\nprint('where' in globals())") == "False\n"
    assert "in the notebook again" in kernel.run("%mw_auto off")
    assert kernel.run("epochs = 2\n%mw_push epochs session") == ""
    assert kernel.run("%mw_pull session epochs\nprint(epochs['worker:1'])") == "2\n"
    both = kernel.run("session = 3\n%mw_push epochs session")
    assert "session is both a variable and a session" in both
    assert "%mw_push epochs --name session" in both
    kernel.run("%%mw --no-export\nsession = 4")
    assert "session is both a variable and a session" in kernel.run("%mw_pull epochs session")
    kernel.run("%%mw --no-export\ndel session")
    warned = kernel.run("%%mw --no-export\nimport warnings; warnings.warn('equal for all')")
    assert re.search(r"all 2 workers \| .*UserWarning: equal for all", warned), warned
    assert "0 variables" in kernel.run("%mw_variables"), "TensorFlow's own are not listed"
    assert kernel.run(MODEL) == ""
    shown = kernel.run(TRAIN)
    assert from_both(shown, "Epoch 1/2")
    assert "4/4 - " in shown
    shown = kernel.run("%mw_timeline --steps")
    assert "executing a cell" in shown
    assert "idle: waiting for a cell" in shown
    assert "Medians of 7 of 8 steps" in shown
    assert "<svg" in kernel.updates[-1]["text/html"]
    # The tracebacks of two workers are merged, and the notebook marks the cell as failed.
    shown = kernel.run("%%mw\nprint('to both')\n1/0")
    assert from_both(shown, "to both")
    assert shown.count("division by zero") == 1
    assert "magics/session.py" not in shown
    assert kernel.reply["content"]["status"] == "error"
    assert kernel.run("%%mw_scope\ntf.Session()").endswith(
        "AttributeError on worker:0 and worker:1.\n"
        "Session is a TensorFlow 1 name. Use its replacement in TensorFlow 2, or launch the code"
        " as a program: %mw_launch 2 main.py."
    )
    shown = kernel.run("%%mw\n1/0")
    assert f"In[{kernel.reply['content']['execution_count']}]" in shown.replace("In [", "In[")
    # An interrupt from the notebook reaches the workers, and the session continues.
    shown = kernel.run(
        "%%mw\nimport time\nprint('on', flush=True)\nwhile True: time.sleep(0.1)",
        interrupt_at="on",
    )
    assert "The session is still usable" in shown
    kernel.run("%%mw --no-export\nweights = model.get_weights()")
    kernel.run("%mw_pull weights history")
    kernel.run("import numpy as np; np.savez('cells.npz', *weights['worker:1'])")
    assert kernel.run("print(len(history['worker:0'].history['loss']))") == "2\n"
    assert kernel.run("import sys; print('tensorflow' in sys.modules)") == "False\n"

    shown = kernel.run("%mw_export main.py")
    assert "Wrote 4 cells" in shown
    assert "%mw_launch 2 main.py --keras 2" in shown
    script = (work / "main.py").read_text()
    assert "1/0" not in script, "a cell that failed is left out"
    assert "epochs = 2" in script
    assert "with strategy.scope():\n    tf.keras" in script
    (work / "main.py").write_text(
        script + '\nif is_chief: np.savez("script.npz", *model.get_weights())\n'
    )
    assert "worker:0 waited in a collective" in kernel.run(CAUGHT)
    assert kernel.reply["content"]["status"] == "ok"
    kernel.run("%mw_stop")
    assert "main: succeeded" in kernel.run("%mw_launch 2 main.py --keras 2 --wait")
    cells, program = np.load(work / "cells.npz"), np.load(work / "script.npz")
    assert len(cells.files) == 2
    for name in cells.files:
        np.testing.assert_allclose(program[name], cells[name], rtol=1e-6)


@pytest.mark.full
def test_a_session_that_runs_is_kept_and_its_death_is_told(kernel):
    kernel.run("%load_ext mwtutor\n%mw_start 1")
    kernel.run("%%mw\nkept = 1")
    shown = kernel.run("%mw_start 1")
    assert "session is still running with 1 worker; %mw_start --new replaces it." in shown
    assert kernel.run("%%mw\nkept").endswith("| 1\n")
    shown = kernel.run("%mw_start 2 --threads 1")
    assert "was still running, with 1 worker and --threads 0, and has been stopped." in shown
    assert "NameError" in kernel.run("%%mw\nkept")
    kernel.run("%%mw\nkept = 2")
    shown = kernel.run("%mw_start 2 --threads 1 --new")
    assert "session was still running and has been stopped." in shown
    assert "NameError" in kernel.run("%%mw\nkept")
    # If the worker died in the background, the next cell reports that, once.
    run = find("session")
    run.kill("worker:0")
    assert run.wait(60, check=False).status == "failed"
    assert kernel.run("1 + 1").startswith("session failed: worker:0 was killed by signal 9")
    assert kernel.run("1 + 1") == "2"
    # If the worker died while it executed a cell, that cell reported the death.
    assert "session: idle" in kernel.run("%mw_start 1")
    assert "SessionError" in kernel.run("%%mw\nimport os; os.kill(os.getpid(), 9)")
    assert kernel.run("1 + 1") == "2"


SERVED = """%%mw
def rows(context):
    x = tf.random.uniform((64, 4))
    return tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1))).repeat().batch(8)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")

def train(epochs):
    model.fit(rows, epochs=epochs, steps_per_epoch=10, verbose=2)
    return int(model.optimizer.iterations)

print(train(1))
"""


@pytest.mark.full
@pytest.mark.skipif(3 not in keras_versions(), reason="there is no Keras 3 here")
def test_fit_with_parameter_servers_is_interrupted_and_dies_with_its_kernel(kernel):
    kernel.run("%load_ext mwtutor\n%mw_start 2 --chief --ps 1")
    assert "| 10\n" in kernel.run(SERVED)
    shown = kernel.run("%%mw\nprint(train(10**6))", interrupt_at="Epoch 3/")
    assert "The session is still usable" in shown
    # Scheduled work completes; then the model continues to train as if nothing had happened.
    shown = kernel.run(
        "%%mw\ncoordinator.join()\nbefore = int(model.optimizer.iterations)\n"
        "print(before >= 30, train(1) - before)"
    )
    assert shown.endswith("| True 10\n"), shown
    run = find("session")
    before = run.state.closures.finished
    kernel.client.execute("%%mw\ntrain(10**6)")
    until_state(run, lambda state: state.closures.finished > before + 10)
    nothing_is_left_of(run, kernel)


@pytest.mark.full
def test_many_lines_are_in_order_and_what_is_left_out_is_marked(kernel):
    kernel.run("%load_ext mwtutor\n%mw_start 2")
    shown = kernel.run("%%mw\nfor number in range(50_000): print(number)")
    for worker in ("worker:0", "worker:1"):
        said = re.findall(rf"(?:all 2 workers|{worker}) \| (\d+)\n", shown)
        assert said
        assert list(map(int, said)) == list(range(len(said))), "in order, without a gap"
        log = find("session").spec.log(find("session").task(worker))
        assert len(said) == 50_000 or str(log) in shown, "the rest is marked"


STEPS = """%%mw --background
import pathlib, time
for step in range(3):
    print('step', step, flush=True)
while not pathlib.Path('go').exists():
    time.sleep(0.05)
print('mine', task_index)
1 / 0
"""


@pytest.mark.full
def test_a_cell_in_the_background(kernel, work):
    kernel.run("%load_ext mwtutor\n%mw_start 2")
    shown = kernel.run(STEPS)
    number = kernel.reply["content"]["execution_count"]
    assert shown.startswith(f"Cell {number} was started in the background")
    run = find("session")
    until_state(run, lambda state: state.status == "executing")
    assert f"cell {number} in the background for" in kernel.run("%mw_status")
    assert kernel.run("6 * 7") == "42"
    shown = kernel.run("%%mw --background\nprint('second')")
    assert f"follows cell {number} in the background" in shown
    shown = kernel.run("%mw_pull task_index", interrupt_at=f"Waiting for cell {number}")
    assert f"The wait for cell {number} was interrupted; the cell continues" in shown
    assert "is not done after 0.1 s" in kernel.run("%mw_result --timeout 0.1")
    assert re.search(r"Cell \d+ has been waiting for its turn for \d+ s", kernel.run("%mw_result"))
    assert f"Cell {number} has been running for " in kernel.run(f"%mw_result {number}")
    (work / "go").touch()
    ended = f"Cell {number} failed: ZeroDivisionError on worker:0 and worker:1. %mw_result {number}"
    kernel.wait_for_update(ended)
    assert from_both(kernel.run("%%mw\nprint('next')"), "next")
    shown = kernel.run(f"%mw_result {number}")
    assert kernel.reply["content"]["status"] == "error"
    assert all(from_both(shown, f"step {step}") for step in range(3))
    assert "worker:1 | mine 1\n" in shown
    assert "ZeroDivisionError on worker:0 and worker:1." in shown
    assert f"In[{number}]" in shown.replace("In [", "In[")
    assert from_both(kernel.run("%mw_result"), "second")
    kernel.run("%%mw --background\nimport time\nprint('on', flush=True)\ntime.sleep(1000)")
    shown = kernel.run("%mw_result --wait", interrupt_at="on")
    assert "the cell continues in the background" in shown
    assert "has ended" in kernel.run("%mw_interrupt")
    shown = kernel.run("%mw_result")
    assert "on\n" in shown
    assert "The session is still usable" in shown
    kernel.run("%%mw --background\nimport time\nprint('on', flush=True)\ntime.sleep(1000)")
    until_state(run, lambda state: state.status == "executing")
    kernel.run("%%mw --background\nprint('second')")
    kernel.run("%mw_stop session")
    ended = "because its session ended: it was stopped."
    assert f"was not executed, {ended}" in kernel.run("%mw_result")
    shown = kernel.run(f"%mw_result {kernel.reply['content']['execution_count'] - 3}")
    assert "on\n" in shown
    assert f"was cut short, {ended}" in shown
    kernel.run("%mw_restart")
    kernel.run("%%mw --background\nimport time\ntime.sleep(1000)")
    kernel.run("%mw_restart")
    assert "was cut short, because its session ended: the session was" in kernel.run("%mw_result")
    kernel.run("%%mw --background\nimport os\nif task_index: os.kill(os.getpid(), 9)")
    assert "ended: worker:1 was killed by signal 9" in kernel.run("%mw_result --wait")
    kernel.run("%mw_restart")
    kernel.run("%%mw --background\nimport time\ntime.sleep(1000)")
    nothing_is_left_of(find("session"), kernel)


@pytest.mark.full
def test_nothing_is_left_when_the_kernel_is_killed(kernel, work):
    kernel.run("%load_ext mwtutor\n%mw_start 2")
    run = find("session")
    sockets = Path(run.spec.program.target)
    assert sockets.parent == runtime_dir()
    assert sockets.stat().st_mode & 0o077 == 0
    nothing_is_left_of(run, kernel)


def nothing_is_left_of(run: Run, kernel: Kernel) -> None:
    """Kill the kernel: all tasks of its session end with it, and their sockets are removed."""
    pids, sockets = [task.pid for task in run.tasks.values()], Path(run.spec.program.target)
    assert all(map(psutil.pid_exists, pids))
    assert sockets.exists()
    kernel.manager.provisioner.process.send_signal(signal.SIGKILL)
    until(
        lambda: not any(map(psutil.pid_exists, pids)) and not sockets.exists(),
        otherwise="workers or sockets outlive their kernel",
    )
    assert run.wait(timeout=20, check=False).reason == "it ended with the process that launched it"

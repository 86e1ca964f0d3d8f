"""No task connects before the task it needs listens: a refused connection costs a second."""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId

pytestmark = [pytest.mark.e2e, pytest.mark.full]

#: The late task waits until the other is about to connect; the other records whether the address
#: had a listener when TensorFlow connected, and waits as long as a busy machine may need.
BEGIN = """
import json, os, time
from mwtutor.system.ports import listens
from mwtutor.worker.patches import connecting

cluster, task = (json.loads(os.environ["TF_CONFIG"])[key] for key in ("cluster", "task"))
connecting.PATIENCE = 60.0

def late():
    while not os.path.exists("about-to-connect"):
        time.sleep(0.005)
    time.sleep(0.1)

def note(name, address):
    from tensorflow.python import pywrap_tfe
    connect = getattr(pywrap_tfe, name)
    def noted(*args, **kwargs):
        print("listened:", listens(address), flush=True)
        return connect(*args, **kwargs)
    setattr(pywrap_tfe, name, noted)
    open("about-to-connect", "w").close()
"""

COLLECTIVES = (
    BEGIN
    + """
import tensorflow as tf

if task["index"] == 0:
    late()
else:
    note("TFE_EnableCollectiveOps", cluster["worker"][0])
tf.distribute.MultiWorkerMirroredStrategy()
"""
)

SERVERS = (
    BEGIN
    + """
import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if task["type"] != "chief":
    if task["type"] == "ps":
        late()
    tf.distribute.Server(resolver.cluster_spec(), task["type"], task["index"], "grpc").join()
note("TFE_ContextSetServerDef", cluster["ps"][0])
note("TFE_ContextSetServerDefWithTimeoutAndRetries", cluster["ps"][0])
tf.distribute.ParameterServerStrategy(resolver)
"""
)


@pytest.mark.parametrize(
    ("program", "options", "who"),
    [
        pytest.param(COLLECTIVES, {"workers": 2}, "worker:1", id="collectives"),
        pytest.param(SERVERS, {"workers": 1, "chief": True, "ps": 1}, "chief:0", id="servers"),
    ],
)
def test_a_task_connects_to_those_that_listen(launch, write, program, options, who):
    write("main.py", program)
    run = launch("main.py", **options)
    run.wait()
    assert "listened: True" in run.spec.log(TaskId.parse(who)).read_text()

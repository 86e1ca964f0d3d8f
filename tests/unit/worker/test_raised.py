"""The report about an exception. The messages are TensorFlow 2.21's, recorded, with other paths."""

# ruff: noqa: E501 - recorded lines are as long as they are

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from mwtutor.system import child
from mwtutor.worker.raised import cause, describe, drop_our_frames, origin

KERAS = '  File "/venv/lib/python3.12/site-packages/keras/src/utils/traceback_utils.py", line 117, in error_handler\n'

EMBEDDING = f"""\
tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:

Detected at node sequential_1/embedding_1/GatherV2 defined at (most recent call last):
  File "/home/me/main.py", line 17, in <module>

  File "/home/me/main.py", line 16, in train

{KERAS * 12}
indices[1,0] = 7 is not in [0, 5)
\t [[{{{{node sequential_1/embedding_1/GatherV2}}}}]] [Op:__inference_multi_step_on_iterator_298]"""

ASSERTION = f"""\
tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:

Detected at node sequential_1_1/l_1/assert_less/Assert/AssertGuard/Assert defined at (most recent call last):
  File "/home/me/main.py", line 42, in <module>

{KERAS * 12}
  File "/home/me/layers.py", line 36, in call

assertion failed: [inputs must be small] [Condition x < y did not hold element-wise:] [x (data:0) = ] [[1][1]] [y (sequential_1_1/l_1/assert_less/y:0) = ] [0.5]
\t [[{{{{node sequential_1_1/l_1/assert_less/Assert/AssertGuard/Assert}}}}]] [Op:__inference_multi_step_on_iterator_576]"""

TWO_REPLICAS = """\
tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:

Detected at node replica_1/GatherV2 defined at (most recent call last):
  File "/home/me/main.py", line 17, in replica

Detected at node GatherV2 defined at (most recent call last):
  File "/home/me/main.py", line 18, in replica

2 root error(s) found.
  (0) INVALID_ARGUMENT:  indices = 6 is not in [0, 2)
\t [[{{node replica_1/GatherV2}}]]
\t [[Func/cond_2/then/_32/input/_103/_70]]
  (1) INVALID_ARGUMENT:  indices = 5 is not in [0, 2)
\t [[{{node GatherV2}}]]
0 successful operations.
0 derived errors ignored. [Op:__inference_step_2548]"""

NO_STACK = """\
tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:

Detected at node GatherV2 defined at (most recent call last):
<stack traces unavailable>
Error in user-defined function passed to MapDataset:19 transformation with iterator: Iterator::Root::ParallelMapV2: indices = 1 is not in [0, 1)
\t [[{{node GatherV2}}]]
\t [[IteratorGetNext]] [Op:__inference_multi_step_on_iterator_584]"""

PYTHON_FUNCTION = """\
tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:

Detected at node PyFunc defined at (most recent call last):
  File "/home/me/main.py", line 51, in step

ValueError: from my generator
with two lines
Traceback (most recent call last):

  File "/venv/lib/python3.12/site-packages/tensorflow/python/ops/script_ops.py", line 269, in __call__
    ret = func(*args)
          ^^^^^^^^^^^

  File "/home/me/data.py", line 48, in rows
    raise ValueError("from my generator\\nwith two lines")

ValueError: from my generator
with two lines


\t [[{{node PyFunc}}]] [Op:__inference_pyf_614]"""

EAGER = (
    "tensorflow.python.framework.errors_impl.InvalidArgumentError: {{function_node "
    "__wrapped____MklMatMul_device_/job:localhost/replica:0/task:0/device:CPU:0}} "
    "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] [Op:MatMul] name: "
)

COLLECTIVE = (
    "tensorflow.python.framework.errors_impl.InvalidArgumentError: {{function_node "
    "__wrapped__CollectiveBcastRecv_device_/job:worker/replica:0/task:1/device:CPU:0}} "
    "Collective ops is aborted by: Shape mismatch in the collective instance 100.\n"
    "Additional GRPC error information from remote target /job:worker/replica:0/task:0 while "
    'calling /tensorflow.WorkerService/CompleteInstance:\n:UNKNOWN:Error {grpc_message:"Shape '
    'mismatch in the collective instance 100."}\nThe error could be from a previous operation. '
    "Restart your program to reset. [Op:CollectiveBcastRecv]"
)

TRACING = """\
ValueError: in user code:

    File "/home/me/main.py", line 67, in step  *
        return tf.matmul(x, tf.ones([7,7]))

    ValueError: Dimensions must be equal, but are 3 and 7 for '{{node MatMul}} = MatMul[T=DT_FLOAT](x, ones)' with input shapes: [2,3], [7,7].
"""

KERAS_2_LAYER = """\
ValueError: in user code:

    File "/venv/lib/python3.12/site-packages/tf_keras/src/engine/training.py", line 1398, in train_function  *
        return step_function(self, iterator)
    File "/tmp/__autograph_generated_fileqsxd4m6r.py", line 15, in tf__call
        raise

    ValueError: Exception encountered when calling layer 'm' (type M).
    
    in user code:
    
        File "/home/me/main.py", line 45, in call  *
            return tf.matmul(x, tf.ones([7, 7]))
    
        ValueError: Dimensions must be equal, but are 1 and 7.
    
    
    Call arguments received by layer 'm' (type M):
      • x=tf.Tensor(shape=(None, 1), dtype=float32)
"""  # noqa: W293

KEY = """\
tensorflow.python.autograph.pyct.error_utils.MultilineMessageKeyError: in user code:

    File "/home/me/main.py", line 71, in step  *
        raise KeyError("k")

    KeyError: 'k'
"""

#: Keras puts a layer's message between escape sequences, even if there is none.
WORDLESS = """\
NotImplementedError: Exception encountered when calling CountRows.call().

\x1b[1m\x1b[0m

Arguments received by CountRows.call():
  • images=tf.Tensor(shape=(32, 28, 28, 1), dtype=float32)
"""

INVALID = "tensorflow.python.framework.errors_impl.InvalidArgumentError: "


@pytest.mark.parametrize(
    ("message", "why", "where"),
    [
        (EMBEDDING, f"{INVALID}indices[1,0] = 7 is not in [0, 5)", ("main.py", 16, "train")),
        (
            ASSERTION,
            f"{INVALID}assertion failed: [inputs must be small] [Condition x < y did not hold "
            "element-wise:] [x (data:0) = ] [[1][1]] [y (sequential_1_1/l_1/assert_less/y:0) = ] "
            "[0.5]",
            ("layers.py", 36, "call"),
        ),
        (TWO_REPLICAS, f"{INVALID}indices = 6 is not in [0, 2)", ("main.py", 17, "replica")),
        (
            NO_STACK,
            f"{INVALID}Error in user-defined function passed to MapDataset:19 transformation with "
            "iterator: Iterator::Root::ParallelMapV2: indices = 1 is not in [0, 1)",
            None,
        ),
        (
            PYTHON_FUNCTION,
            f"{INVALID}ValueError: from my generator with two lines",
            ("data.py", 48, "rows"),
        ),
        (EAGER, f"{INVALID}Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]", None),
        (COLLECTIVE, f"{INVALID}Shape mismatch in the collective instance 100.", None),
        (
            TRACING,
            "ValueError: Dimensions must be equal, but are 3 and 7 for '{{node MatMul}} = "
            "MatMul[T=DT_FLOAT](x, ones)' with input shapes: [2,3], [7,7].",
            ("main.py", 67, "step"),
        ),
        (
            KERAS_2_LAYER,
            "ValueError: Dimensions must be equal, but are 1 and 7.",
            ("main.py", 45, "call"),
        ),
        (WORDLESS, "NotImplementedError", None),
        (KEY, "KeyError: 'k'", ("main.py", 71, "step")),
        (f"{INVALID}Graph execution error:\n\n", f"{INVALID}Graph execution error:\n\n", None),
    ],
)
def test_the_cause_and_the_users_own_line(message, why, where):
    assert cause(message) == why
    place = origin(message)
    assert (place and (place.filename.split("/")[-1], place.lineno, place.name)) == where


def raised(error: BaseException) -> dict[str, object]:
    try:
        raise error
    except BaseException as caught:
        caught.__traceback__ = caught.__traceback__.tb_next  # not the frame of this helper
        return describe(caught)


class InvalidArgumentError(Exception): ...


InvalidArgumentError.__module__ = "tensorflow.python.framework.errors_impl"


def test_an_error_is_called_by_the_name_that_people_use():
    told = raised(InvalidArgumentError(EMBEDDING.removeprefix(INVALID)))
    assert told["error"] == "InvalidArgumentError"
    assert told["message"] == "InvalidArgumentError: indices[1,0] = 7 is not in [0, 5)"
    assert (told["file"], told["line"]) == ("/home/me/main.py", 16)


def test_what_is_ours_is_not_in_the_history_that_is_printed():
    ours = f'  File "{child.OURS}worker/bootstrap.py", line 81, in _run\n\n'
    error = InvalidArgumentError()
    first = '  File "/home/me/main.py", line 17'
    error._message = EMBEDDING.replace(first, ours * 3 + first)
    assert ours in error._message
    drop_our_frames(error)
    assert error._message == EMBEDDING


def test_of_a_long_message_both_ends_are_told():
    told = raised(ValueError("beginning" + "x" * 5000 + "end"))["message"]
    assert told.startswith("ValueError: beginning")
    assert told.endswith("end")
    assert len(told) < 510


def test_a_message_of_any_length_and_alphabet_fits_into_an_event():
    told = raised(ValueError("\N{GRINNING FACE}\x1b[31m\0" * 10_000))
    assert len(json.dumps(told)) < 4096
    assert "\x1b" not in told["message"]


def test_a_users_own_words_are_left_as_they_are():
    words = 'see File "/home/me/other.py", line 3, in f\nTraceback (most recent call last):\n[[a]]'
    told = raised(ValueError(words))
    assert told["message"] == "ValueError: " + " ".join(words.split())
    assert told["file"] == ""


def test_a_note_is_not_the_message():
    error = ValueError("why")
    error.__notes__ = ["a note"]
    assert raised(error)["message"] == "ValueError: why"


def test_a_syntax_error_has_its_place():
    with pytest.raises(SyntaxError) as caught:
        compile("x = = 1", "main.py", "exec")
    caught.value.__traceback__ = None
    told = describe(caught.value)
    assert told["message"].startswith("SyntaxError: invalid syntax")
    assert (told["file"], told["line"], told["code"]) == ("main.py", 1, "x = = 1")


REAL = """
import json, sys
import tensorflow as tf
from mwtutor.worker.raised import describe

@tf.function
def asserting(x):
    tf.debugging.assert_less(x, 3, message="far too large")
    return x

def rows(x):
    raise ValueError("no such row")

@tf.function
def reading(x):
    return tf.numpy_function(rows, [x], tf.float32)

def embedding():
    layers = [tf.keras.layers.Input([1]), tf.keras.layers.Embedding(5, 3)]
    model = tf.keras.Sequential([*layers, tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
    model.fit(tf.constant([[7]]), tf.constant([[1.0]]), verbose=0)

for wrong in (lambda: asserting(tf.constant(7)), lambda: reading(tf.constant(1.0)), embedding):
    try:
        wrong()
    except Exception as error:
        print(json.dumps(describe(error)))
"""


@pytest.mark.full
@pytest.mark.tensorflow
def test_as_this_tensorflow_words_it(tmp_path):
    program = tmp_path / "main.py"
    program.write_text(REAL)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == 3, done.stderr[-2000:]
    assert {error["error"] for error in told} == {"InvalidArgumentError"}
    assert {error["file"] for error in told} == {str(program)}
    asserting, reading, embedding = told
    assert asserting["message"].startswith(
        "InvalidArgumentError: assertion failed: [far too large] [Condition x < y"
    )
    assert asserting["code"].startswith("tf.debugging.assert_less(x, 3")
    assert reading["message"] == "InvalidArgumentError: ValueError: no such row"
    assert reading["code"] == 'raise ValueError("no such row")'
    assert embedding["message"] == "InvalidArgumentError: indices[0,0] = 7 is not in [0, 5)"
    assert embedding["code"].startswith("model.fit(")

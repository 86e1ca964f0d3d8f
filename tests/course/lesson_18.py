"""Faults that the check cells of lesson 18 must notice."""

from tests.course.sabotage import CheckSabotage

_TWO = ("predict-two", "launch-two")
_UNEVEN = (*_TWO, "check-two", "predict-uneven", "launch-uneven")
_BUBBLE = (*_UNEVEN, "predict-bubble", "launch-bubble")
_HANG = ("plans", "predict-hang", "launch-hang")
_KEPT = (*_BUBBLE, "one-f-one-b-plan", "predict-kept", "launch-kept")
_BYTES = ("launch-uneven", *_TWO, "theirs-py", "predict-bytes", "launch-bytes")
_COST = (*_UNEVEN, "predict-cost", "launch-cost")

CHECK_SABOTAGES = (
    CheckSabotage(
        why="the first stage learns nothing from the gradients that arrive",
        check="check-two",
        cell="stage-py",
        old="None if last else tf.constant(arrived)",
        new="None",
        needs=_TWO,
    ),
    CheckSabotage(
        why="only the first step is compared",
        check="check-two",
        cell="launch-two",
        old='["100", "3"]',
        new='["100", "1"]',
        needs=_TWO,
    ),
    CheckSabotage(
        why="the weights stay as they are",
        check="check-two",
        cell="stage-py",
        old="variable.assign_sub(RATE * total)",
        new="pass",
        needs=_TWO,
    ),
    CheckSabotage(
        why="half of the numbers are sent",
        check="check-two",
        cell="pipe-py",
        old="sent += array.nbytes",
        new="sent += array.nbytes // 2",
        needs=_TWO,
    ),
    CheckSabotage(
        why="all micro-batches have the same size",
        check="check-uneven",
        cell="launch-uneven",
        old="size=32",
        new="size=25",
        needs=_UNEVEN,
    ),
    CheckSabotage(
        why="the gradients of the previous step are still there",
        check="check-uneven",
        cell="stage-py",
        old="total.assign(tf.zeros_like(total))",
        new="pass",
        needs=_UNEVEN,
    ),
    CheckSabotage(
        why="only the last micro-batch counts",
        check="check-uneven",
        cell="stage-py",
        old="total.assign_add(gradient)",
        new="total.assign(gradient)",
        needs=_UNEVEN,
    ),
    CheckSabotage(
        why="both runs have one micro-batch",
        check="check-bubble",
        cell="launch-bubble",
        old="measured(1), measured(8)",
        new="measured(1), measured(1)",
        needs=_BUBBLE,
    ),
    CheckSabotage(
        why="a stage begins before its input is there",
        check="check-bubble",
        cell="stage-py",
        old="        arrived = pipe.receive(source) if source in pipe.neighbors else None\n"
        "        begin = time.monotonic()  # all processes of a computer share this clock\n",
        new="        begin = time.monotonic()\n"
        "        arrived = pipe.receive(source) if source in pipe.neighbors else None\n",
        needs=_BUBBLE,
    ),
    CheckSabotage(
        why="no plan hangs",
        check="check-hang",
        cell="plans",
        old='"F0 F1 B0 B1"]',
        new='"F0 B0 F1 B1"]',
        needs=_HANG,
    ),
    CheckSabotage(
        why="alternating becomes all forward first",
        check="check-hang",
        cell="plans",
        old='"alternating": ["F0 B0 F1 B1", "F0 B0 F1 B1"]',
        new='"alternating": ["F0 F1 B0 B1", "F0 F1 B0 B1"]',
        needs=_HANG,
    ),
    CheckSabotage(
        why="all forward passes come first",
        check="check-kept",
        cell="launch-kept",
        old='start("1f1b", one_f_one_b,',
        new='start("1f1b", all_forward(4, 8),',
        needs=_KEPT,
    ),
    CheckSabotage(
        why="nothing is removed after the backward pass",
        check="check-kept",
        cell="stage-py",
        old="kept.pop(number)",
        new="kept[number]",
        needs=_KEPT,
    ),
    CheckSabotage(
        why="other rows in the second plan",
        check="check-kept",
        cell="launch-kept",
        old="rows=32",
        new="rows=31",
        needs=_KEPT,
    ),
    CheckSabotage(
        why="half of the rows",
        check="check-bytes",
        cell="launch-bytes",
        old="rows=256, size=64",
        new="rows=128, size=32",
        needs=_BYTES,
    ),
    CheckSabotage(
        why="TensorFlow's workers train alone",
        check="check-bytes",
        cell="theirs-py",
        old='context.all_reduce("SUM", gradients)',
        new="gradients",
        needs=_BYTES,
    ),
    CheckSabotage(
        why="the micro-batches are not smaller",
        check="check-cost",
        cell="launch-cost",
        old="all_forward(2, count), rows=256, size=256 // count",
        new="all_forward(2, min(count, 4)), rows=256, size=256 // min(count, 4)",
        needs=_COST,
    ),
)

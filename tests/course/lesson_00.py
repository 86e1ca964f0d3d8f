"""Variations of lesson 00 that its check cells must notice."""

from __future__ import annotations

from tests.course.sabotage import CheckSabotage

_SIMULATION = ("one-device", "simulation")
_RING = ("arrays", "through-one-worker", "ring-steps", "ring-by-hand")
_TRAINING = ("one-device", "simulation", "arrays", "through-one-worker", "train")
_MEASURED = ("traffic-py", "start-2", "measure-2", "pull-2", "start-3", "measure-3", "pull-3")
_ALL_REDUCE = 'return tf.distribute.get_replica_context().all_reduce("SUM", mine)'

CHECK_SABOTAGES: tuple[CheckSabotage, ...] = (
    CheckSabotage(
        why="both devices have the same half of the rows",
        check="check-two-ways",
        cell="data-parallel",
        old="gradients(x[32:], y[32:], w1, w2)",
        new="gradients(x[:32], y[:32], w1, w2)",
        needs=("one-device", "model-parallel", "data-parallel"),
    ),
    CheckSabotage(
        why="each device keeps its own gradients",
        check="check-two-ways",
        cell="data-parallel",
        old="(a + b) / 2",
        new="a",
        needs=("one-device", "model-parallel", "data-parallel"),
    ),
    CheckSabotage(
        why="no gradient comes back to the first layer's device",
        check="check-two-ways",
        cell="model-parallel",
        old="for_hidden * (hidden > 0)",
        new="hidden > 0",
        needs=("one-device", "model-parallel", "data-parallel"),
    ),
    CheckSabotage(
        why="synchronous workers do not wait for the slowest",
        check="check-who-waits",
        cell="simulation",
        old="until - max(times) + 1, max(times)",
        new="until - max(times) + 1, min(times)",
        needs=_SIMULATION,
    ),
    CheckSabotage(
        why="nothing is learned",
        check="check-who-waits",
        cell="simulation",
        old="asynchronous(42, rate=0.05)",
        new="asynchronous(42, rate=0.0)",
        needs=_SIMULATION,
    ),
    CheckSabotage(
        why="gradients are never stale",
        check="check-stale",
        cell="simulation",
        old="gradient(seen, shares[worker])",
        new="gradient(w, shares[worker])",
        needs=(*_SIMULATION, "stale"),
    ),
    CheckSabotage(
        why="the synchronous workers learn nothing",
        check="check-stale",
        cell="stale",
        old="synchronous(42, rate=0.4)\nfast_async",
        new="synchronous(42, rate=0.0)\nfast_async",
        needs=(*_SIMULATION, "stale"),
    ),
    CheckSabotage(
        why="the ring ends a step too early",
        check="check-ring",
        cell="ring-steps",
        old='    ("keep", [(0, 1, 0), (1, 2, 1), (2, 0, 2)]),\n',
        new="",
        needs=_RING,
    ),
    CheckSabotage(
        why="complete chunks are added again",
        check="check-ring",
        cell="ring-steps",
        old='if action == "add" else 0',
        new="if True else 0",
        needs=_RING,
    ),
    CheckSabotage(
        why="arrays get to worker 0 without being sent",
        check="check-ring",
        cell="through-one-worker",
        old="total += send(worker, 0, arrays[worker])",
        new="total += arrays[worker]",
        needs=_RING,
    ),
    CheckSabotage(
        why="nothing is lost",
        check="check-lost",
        cell="lost",
        old="lost[1][1].remove((1, 2, 0))\n",
        new="",
        needs=(*_RING, "lost"),
    ),
    CheckSabotage(
        why="the message is lost in the second round: only some are wrong",
        check="check-lost",
        cell="lost",
        old="lost[1][1].remove((1, 2, 0))",
        new="lost[3][1].remove((1, 2, 1))",
        needs=(*_RING, "lost"),
    ),
    CheckSabotage(
        why="each copy trains alone on its own rows",
        check="check-train",
        cell="train",
        old="sums = all_reduce(own, Wire(len(own)).send)",
        new="sums = [len(own) * mine for mine in own]",
        needs=_TRAINING,
    ),
    CheckSabotage(
        why="the copies train on the same rows: they are equal without any communication",
        check="check-train",
        cell="train",
        old="workers = train([zeros] * 3, shares,",
        new="workers = train([zeros] * 3, [shares[0]] * 3,",
        needs=_TRAINING,
    ),
    CheckSabotage(
        why="no copy trains",
        check="check-train",
        cell="train",
        old="steps=40",
        new="steps=0",
        needs=_TRAINING,
    ),
    CheckSabotage(
        why="the weights were broadcast after all",
        check="check-train",
        cell="train",
        old="[rng.normal(size=5) for _ in range(3)]",
        new="[rng.normal(size=5)] * 3",
        needs=_TRAINING,
    ),
    CheckSabotage(
        why="two workers compute the sum without sending anything",
        check="check-measured",
        cell="measure-2",
        old=_ALL_REDUCE,
        new="return mine / mine * 3.0",
        needs=_MEASURED,
    ),
    CheckSabotage(
        why="each of three workers keeps its own tensor",
        check="check-measured",
        cell="measure-3",
        old=_ALL_REDUCE,
        new="return mine",
        needs=_MEASURED,
    ),
    CheckSabotage(
        why="the supposed ring sends everything to everyone",
        check="check-measured",
        cell="measure-3",
        old="sent = traffic.of(lambda: all_reduce(1_000_000), meet)",
        new="sent = traffic.of(lambda: gather_and_add(1_000_000), meet)",
        needs=_MEASURED,
    ),
    CheckSabotage(
        why="the third worker is never started",
        check="check-measured",
        cell="start-3",
        old="%mw_start 3",
        new="%mw_start 2",
        needs=_MEASURED,
    ),
)

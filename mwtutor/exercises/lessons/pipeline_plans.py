"""Plans of a pipeline, and a simulation of stages that follow them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

#: The passes of each stage in their order: F0 is the forward pass of micro-batch 0, B0 the
#: backward pass.
Plan = list[list[str]]


@dataclass
class Simulated:
    """The result of simulating a plan.

    Attributes:
        begins, ends: of each pass, by stage and name.
        waits: what each stage still waits for, if the plan hangs.
    """

    begins: dict[tuple[int, str], float] = field(default_factory=dict)
    ends: dict[tuple[int, str], float] = field(default_factory=dict)
    waits: dict[int, str] = field(default_factory=dict)

    @property
    def length(self) -> float:
        return max(self.ends.values(), default=0.0)


def source_of(stage: int, one: str, backward_waits: bool = True) -> int:
    """The stage whose pass of the same name must end first; an invalid number if there is none."""
    if one.startswith("F"):
        return stage - 1
    return stage + 1 if backward_waits else -1


def simulate(plan: Plan, forward: float, backward: float, backward_waits: bool = True) -> Simulated:
    """Each stage does its passes in order, each as soon as the stage is free and has the input."""
    out = Simulated()
    free = [0.0] * len(plan)
    left = [list(passes) for passes in plan]
    moved = True
    while moved:
        moved = False
        for stage, passes in enumerate(left):
            while passes:
                source = source_of(stage, passes[0], backward_waits)
                if 0 <= source < len(plan) and (source, passes[0]) not in out.ends:
                    break
                one = passes.pop(0)
                begin = max(free[stage], out.ends.get((source, one), 0.0))
                free[stage] = begin + (forward if one.startswith("F") else backward)
                out.begins[stage, one], out.ends[stage, one] = begin, free[stage]
                moved = True
    out.waits = {stage: passes[0] for stage, passes in enumerate(left) if passes}
    return out


def all_forward(stages: int, count: int) -> Plan:
    passes = [f"F{number}" for number in range(count)] + [f"B{number}" for number in range(count)]
    return [list(passes) for _ in range(stages)]


def one_by_one(stages: int, count: int) -> Plan:
    """One micro-batch after the other."""
    passes = [f"{what}{number}" for number in range(count) for what in "FB"]
    return [list(passes) for _ in range(stages)]


def one_f_one_b(stages: int, count: int) -> Plan:
    plan = []
    for stage in range(stages):
        first = min(count, stages - stage)
        passes = [f"F{number}" for number in range(first)]
        for number in range(count):
            passes.append(f"B{number}")
            if first + number < count:
                passes.append(f"F{first + number}")
        plan.append(passes)
    return plan


def by_chance(stages: int, count: int) -> Plan:
    """A plan in a random order that does not hang."""
    plan: Plan = [[] for _ in range(stages)]
    done: set[tuple[int, str]] = set()
    while len(done) < 2 * stages * count:
        stage = random.randrange(stages)
        what = random.choice("FB")
        number = sum(one.startswith(what) for one in plan[stage])
        one = f"{what}{number}"
        source = source_of(stage, one)
        if number == count or (0 <= source < stages and (source, one) not in done):
            continue
        if what == "B" and f"F{number}" not in plan[stage]:
            continue
        plan[stage].append(one)
        done.add((stage, one))
    return plan

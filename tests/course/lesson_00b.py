"""Faults that the check cell of lesson 00b must notice."""

from tests.course.sabotage import CheckSabotage

_ALL = (
    *(
        "batch-rows",
        "outcome-batch",
        "configs",
        "outcome-tf-config",
        "model",
        "fit",
        "outcome-step",
    ),
    *("variables", "outcome-scope", "shards-rows", "outcome-shards", "evaluate"),
    *("outcome-accuracy", "ask", "outcome-contexts", "chiefs", "outcome-chief", "launch-dies"),
    *("outcome-dies", "add", "outcome-half"),
)

CHECK_SABOTAGES = (
    CheckSabotage(
        why="no variable is created in the scope",
        check="check-outcomes",
        cell="variables",
        old="with strategy.scope():",
        new="if True:",
        needs=_ALL,
    ),
    CheckSabotage(
        why="the policy is ignored",
        check="check-outcomes",
        cell="shards-rows",
        old="AutoShardPolicy[policy]",
        new="AutoShardPolicy.OFF",
        needs=_ALL,
    ),
    CheckSabotage(
        why="nothing is restarted",
        check="check-outcomes",
        cell="launch-dies",
        old="--restarts 1 ",
        new="",
        needs=_ALL,
    ),
    CheckSabotage(
        why="nothing is exchanged in 16 bits",
        check="check-outcomes",
        cell="add",
        old="task_index], dtype)",
        new="task_index], tf.float32)",
        needs=_ALL,
    ),
)

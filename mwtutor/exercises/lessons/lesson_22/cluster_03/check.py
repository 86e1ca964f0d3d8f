"""22-03: it worked until a machine was added."""

from mwtutor.exercises.lessons.clusters import cluster, not_summed

LAUNCH = "2 broken_03.py"

check = cluster(__file__, not_summed, "Both workers noted the sum of the two numbers.")

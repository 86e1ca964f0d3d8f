"""22-01: two workers, and two different results."""

from mwtutor.exercises.lessons.clusters import cluster, not_summed

LAUNCH = "2 broken_01.py"

check = cluster(__file__, not_summed, "Both workers noted the sum of the two numbers.")

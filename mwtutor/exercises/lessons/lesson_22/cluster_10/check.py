"""22-10: one file, two workers."""

from mwtutor.exercises.lessons.clusters import cluster, not_divided

LAUNCH = "2 broken_10.py"

check = cluster(__file__, not_divided, "Every row was read once.")

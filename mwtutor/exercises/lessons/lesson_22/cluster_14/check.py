"""22-14: the last step fails."""

from mwtutor.exercises.lessons.clusters import cluster, not_divided

LAUNCH = "2 broken_14.py"

check = cluster(__file__, not_divided, "Every row was used once.")

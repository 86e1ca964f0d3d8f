"""The display of a run, while it is running and afterward."""

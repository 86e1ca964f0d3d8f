"""The tasks' output, as lines."""

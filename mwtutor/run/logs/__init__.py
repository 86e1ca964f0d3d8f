"""What the tasks printed, as lines."""

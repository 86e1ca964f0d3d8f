"""What was measured while a run was running, as values."""

"""What was measured during a run, as values."""

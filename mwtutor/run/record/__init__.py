"""What a run's directory holds, and the state of the run that follows from it."""

"""What a run's directory holds, and the state of the run that it shows."""

"""The contents of a run's directory, and the state of the run that follows from them."""

"""TensorBoard on what is known of runs: every task's history, the program's own event files,
profiles."""

"""TensorBoard on what is known of runs: every task's history, and the program's event files."""

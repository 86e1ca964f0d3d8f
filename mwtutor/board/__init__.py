"""TensorBoard for runs: every task's history, and the program's event files."""

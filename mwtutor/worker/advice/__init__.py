"""The meanings of common errors in distributed programs: a table, and the code that applies it."""

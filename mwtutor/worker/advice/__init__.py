"""What common errors of distributed programs mean: a table, and the code that applies it."""

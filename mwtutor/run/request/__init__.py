"""A launch request: the options, the program, and what follows from both."""

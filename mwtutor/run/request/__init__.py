"""What is requested: the options of a launch, the program, and what follows from both."""

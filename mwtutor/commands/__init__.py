"""The commands of notebooks and terminals: their arguments, options and checks."""

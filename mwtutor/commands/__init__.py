"""The commands: arguments, options and checks of each, in a magic and in a terminal."""

"""What is typed: the words, options and checks of every verb, in a magic and in a terminal."""

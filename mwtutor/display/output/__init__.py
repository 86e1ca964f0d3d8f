"""How cell output and log lines of several workers look."""

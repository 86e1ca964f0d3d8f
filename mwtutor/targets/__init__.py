"""Where a program runs when this machine is too small, and how it finds its cluster there."""

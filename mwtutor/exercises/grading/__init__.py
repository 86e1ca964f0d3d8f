"""Grade a class: find submitted notebooks, judge their exercises, and write the results."""

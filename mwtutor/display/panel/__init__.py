"""How a run looks while it is running and afterwards."""

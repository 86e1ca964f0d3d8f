"""Programs on other machines: job files for schedulers, and how a task finds its cluster."""

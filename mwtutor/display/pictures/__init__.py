"""Pictures of runs: curves, timelines, variables."""

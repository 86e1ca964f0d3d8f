"""Runs and sessions: as values, as directories, alive."""

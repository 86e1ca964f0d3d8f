"""Runs and sessions, as values, as directories, and live."""

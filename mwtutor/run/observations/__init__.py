"""Measurements of a run, as values."""

"""Runs whose workers stay and execute cells."""

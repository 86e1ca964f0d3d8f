"""Runs whose workers stay alive and execute cells."""

"""Become the task that another scheduler started."""

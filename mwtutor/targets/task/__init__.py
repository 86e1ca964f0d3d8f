"""Becoming the task that another scheduler started."""

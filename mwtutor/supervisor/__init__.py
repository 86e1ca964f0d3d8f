"""The process that owns a run: starts tasks, watches them, decides, writes the event log."""

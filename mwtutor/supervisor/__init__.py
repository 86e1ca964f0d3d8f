"""The process that owns a run: it starts and watches tasks, decides, and writes the event log."""

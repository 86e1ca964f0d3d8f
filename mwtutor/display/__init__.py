"""Text and HTML of a run. No logic: what is shown is worked out in :mod:`.content`."""

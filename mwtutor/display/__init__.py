"""Text and HTML of a run; :mod:`.panel.status` determines what to show."""

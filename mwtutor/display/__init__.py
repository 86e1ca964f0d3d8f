"""Text and HTML of a run; :mod:`.panel.headline` composes what to show."""

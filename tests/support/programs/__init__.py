"""Programs that tests execute."""

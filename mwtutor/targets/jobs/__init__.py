"""Job files for other schedulers."""

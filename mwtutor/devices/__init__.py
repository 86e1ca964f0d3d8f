"""GPUs: which ones there are, and which task gets which."""

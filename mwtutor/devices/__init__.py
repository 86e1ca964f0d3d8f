"""GPUs: which there are, and which task gets which."""

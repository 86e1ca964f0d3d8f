"""The GPUs of this machine, and which task gets which of them."""

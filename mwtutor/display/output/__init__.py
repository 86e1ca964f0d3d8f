"""The display of cell output and log lines of several workers."""

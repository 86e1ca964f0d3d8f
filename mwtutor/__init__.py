"""Multi-worker TensorFlow you can run in a notebook.

Nothing heavy is imported here: the kernel that loads this package never imports TensorFlow.
"""

__version__ = "0.1.0"

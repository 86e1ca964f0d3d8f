"""mwtutor's changes to TensorFlow and Keras inside a task."""

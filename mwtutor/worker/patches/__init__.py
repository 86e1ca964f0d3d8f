"""What mwtutor changes in TensorFlow and Keras inside a task."""

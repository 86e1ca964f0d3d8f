"""What is changed in TensorFlow and Keras inside a task."""

"""Bridges: the small pieces that let current TensorFlow do what it dropped or never did."""

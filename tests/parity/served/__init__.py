"""Keras under ``ParameterServerStrategy``, row by row: a chief, workers, two parameter servers."""

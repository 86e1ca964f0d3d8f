"""Keras 3 under ``ParameterServerStrategy``: the chief schedules the steps of ``fit`` on workers.

Keras 2 does this in its trainer and its data adapters; Keras 3 does not support it.
"""

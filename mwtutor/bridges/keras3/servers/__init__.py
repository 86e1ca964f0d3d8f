"""Keras 3 under ``ParameterServerStrategy``: the chief schedules the steps of ``fit`` on workers.

Keras 2 had this in its trainer and its data adapters; Keras 3 left it out.
"""

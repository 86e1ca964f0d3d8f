"""The checks of ``%mw_doctor``, and its findings."""

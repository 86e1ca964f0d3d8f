"""What ``%mw_doctor`` checks, and what it finds."""

"""What ``%mw_doctor`` looks at, and what it found."""

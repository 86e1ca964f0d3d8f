"""Tables of the documentation that are made of tests."""

"""Tables of the documentation that are generated from tests."""

"""The exercises of the lessons that come with the package, one module a lesson."""

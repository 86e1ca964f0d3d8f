"""The exercises of the lessons that come with the package, one subpackage per lesson."""

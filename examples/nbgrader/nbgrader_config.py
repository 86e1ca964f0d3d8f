"""nbgrader copies the files next to a notebook, but not those that runs leave there."""

c = get_config()  # noqa: F821 (nbgrader defines it)
c.CourseDirectory.root = "."
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", ".mwtutor"]
# By default, nbgrader interrupts a cell after 30 s. On a busy machine, a right solution that needs
# longer would get no points.
c.Execute.timeout = 600

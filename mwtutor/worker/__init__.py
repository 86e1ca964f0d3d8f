"""The code that runs inside a task. It imports nothing from the kernel's side."""

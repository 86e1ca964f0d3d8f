"""What runs inside a task. Imports nothing of the kernel's side."""

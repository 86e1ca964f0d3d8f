"""One launch of one program: its request, record, readers, control and recovery."""

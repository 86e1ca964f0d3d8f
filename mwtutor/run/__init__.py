"""One launch of one program: as it is asked for, kept, read, controlled and recovered."""

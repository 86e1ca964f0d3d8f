"""Parts of machines, all of them real: networks, disks, users, GPUs that answer."""

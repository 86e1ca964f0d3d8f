"""Parts of machines: real networks, disks and users, and recorded answers of NVML."""

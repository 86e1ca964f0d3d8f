"""Operating system and interpreter: processes, sockets, ports, private directories, imports."""

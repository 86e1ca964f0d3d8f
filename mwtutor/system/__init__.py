"""What the operating system gives: processes, sockets, ports, private directories, imports."""

# misconception: a worker knows by itself which one it is
# says: none left a note


def start_workers(program, configs):
    return [subprocess.Popen([sys.executable, program]) for _ in configs]

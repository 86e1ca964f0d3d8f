# misconception: all workers get the same
# says: each worker needs its own TF_CONFIG


def start_workers(program, configs):
    environment = {**os.environ, "TF_CONFIG": configs[0]}
    return [subprocess.Popen([sys.executable, program], env=environment) for _ in configs]

# misconception: it is enough to start the workers
# says: does not return the two processes


def start_workers(program, configs):
    for config in configs:
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": config})

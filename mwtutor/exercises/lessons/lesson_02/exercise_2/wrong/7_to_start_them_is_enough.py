# misconception: to start them is enough
# says: does not return the two processes


def start_workers(program, configs):
    for config in configs:
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": config})

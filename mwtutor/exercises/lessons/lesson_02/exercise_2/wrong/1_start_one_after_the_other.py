# misconception: start one, wait for it, start the next
# says: met no other worker


def start_workers(program, configs):
    return [
        subprocess.run([sys.executable, program], env={**os.environ, "TF_CONFIG": config})
        for config in configs
    ]

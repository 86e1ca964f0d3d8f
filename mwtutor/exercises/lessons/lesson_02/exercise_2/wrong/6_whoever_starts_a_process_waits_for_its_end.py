# misconception: whoever starts a process waits for its end
# says: they exited before start_workers returned


def start_workers(program, configs):
    processes = [
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": config})
        for config in configs
    ]
    for process in processes:
        process.wait()
    return processes

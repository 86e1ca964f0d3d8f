# misconception: `TF_CONFIG` is set in the notebook's environment
# says: everything that you start later inherits it


def start_workers(program, configs):
    processes = []
    for config in configs:
        os.environ["TF_CONFIG"] = config
        processes.append(subprocess.Popen([sys.executable, program]))
    return processes

# misconception: the notebook's environment is where it is set
# says: everything that you start later inherits it


def start_workers(program, configs):
    processes = []
    for config in configs:
        os.environ["TF_CONFIG"] = config
        processes.append(subprocess.Popen([sys.executable, program]))
    return processes

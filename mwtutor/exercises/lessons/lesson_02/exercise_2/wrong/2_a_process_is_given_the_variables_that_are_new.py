# misconception: `env=` needs only the variables that are new
# says: A worker has no PATH


def start_workers(program, configs):
    return [
        subprocess.Popen([sys.executable, program], env={"TF_CONFIG": config}) for config in configs
    ]

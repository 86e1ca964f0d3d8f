def start_workers(program, configs):
    return [
        subprocess.Popen([sys.executable, program], env={**os.environ, "TF_CONFIG": config})
        for config in configs
    ]

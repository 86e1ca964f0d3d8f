def start_workers(program, configs):
    return []

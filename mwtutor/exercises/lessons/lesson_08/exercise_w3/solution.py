def in_files(parts, saving):
    if set(saving) != set(parts):
        return {}
    return {task: sum(parts.values()) for task in saving}

def kept_names(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(1, saves + 1)]
    return names if max_to_keep is None else names[-max_to_keep:]

def run_on_worker(function, argument, own):
    if not isinstance(argument, tuple):
        argument = [argument] * (max(own) + 1)
    return [function(argument[replica]) for replica in own]

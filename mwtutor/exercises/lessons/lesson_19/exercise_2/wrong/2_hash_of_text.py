# misconception: the hash of a text is the same in every process
# says: `hash` of a string


def seed_for(experiment, worker, epoch):
    return hash(f"{experiment} {worker} {epoch}") % 2**32

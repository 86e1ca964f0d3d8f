# == right: with the worker first
def seed_for(experiment, worker, epoch):
    return np.int64(worker) * 10_000_000 + experiment * 100_000 + epoch


# == right: scrambled, but reversible
def seed_for(experiment, worker, epoch):
    number = (experiment * 64 + worker) * 100_000 + epoch
    return number * 2_654_435_761 % 2**32


# == right: digits from numpy
def seed_for(experiment, worker, epoch):
    return int(np.ravel_multi_index((experiment, epoch, worker), (100, 100_000, 64)))


# == wrong: counts its calls
calls = 0


def seed_for(experiment, worker, epoch):
    global calls
    calls += 1
    return calls


# == wrong: draws it
def seed_for(experiment, worker, epoch):
    return int(np.random.randint(2**31))


# == wrong: the time
import time


def seed_for(experiment, worker, epoch):
    return time.time_ns() % 2**32


# == wrong: the same for all workers
def seed_for(experiment, worker, epoch):
    return experiment * 100_000 + epoch


# == wrong: eight workers
def seed_for(experiment, worker, epoch):
    return (experiment * 100_000 + epoch) * 8 + worker


# == wrong: too large
def seed_for(experiment, worker, epoch):
    return (experiment << 40) + (epoch << 10) + worker


# == wrong: negative
def seed_for(experiment, worker, epoch):
    return -((experiment * 100_000 + epoch) * 64 + worker)


# == wrong: a fraction
def seed_for(experiment, worker, epoch):
    return worker + epoch / 100_000 + 64 * experiment


# == wrong: a constant
def seed_for(experiment, worker, epoch):
    return 42


# == wrong: remembers what it gave
given = {}


def seed_for(experiment, worker, epoch):
    return given.setdefault((experiment, worker, epoch), len(given))


# == wrong: raises
def seed_for(experiment, worker, epoch):
    return seeds[worker]


# == wrong: the hash of a tuple, which repeats
# says: Two seeds are the same
def seed_for(experiment, worker, epoch):
    return hash((experiment, worker, epoch)) % 2**32


# == wrong: a checksum, which repeats
# says: Two seeds are the same
def seed_for(experiment, worker, epoch):
    import zlib

    return zlib.crc32(f"{experiment},{worker},{epoch}".encode())

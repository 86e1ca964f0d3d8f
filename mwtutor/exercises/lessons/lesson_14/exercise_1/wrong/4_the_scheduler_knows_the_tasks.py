# misconception: the scheduler knows how many tasks of each kind there are
# says: does not say how many tasks it has

options = "--chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "4",
    "HOSTNAME": "digits-4",
}

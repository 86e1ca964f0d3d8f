# misconception: the scheduler knows how many there are of each
# says: does not say of how many

options = "--chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "4",
    "HOSTNAME": "digits-4",
}

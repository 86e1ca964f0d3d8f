# misconception: only the end of a host's name counts
# says: under names that do not exist

options = "--workers 3 --chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "4",
    "HOSTNAME": "server-4",
}

# misconception: a host has the name of its task
# says: does not end in -4

options = "--workers 3 --chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "4",
    "HOSTNAME": "digits-ps-0",
}

# misconception: --workers counts all tasks
# says: A cluster of 7 tasks

options = "--workers 5 --chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "6",
    "HOSTNAME": "digits-6",
}

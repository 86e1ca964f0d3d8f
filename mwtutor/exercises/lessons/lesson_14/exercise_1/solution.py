options = "--workers 3 --chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "4",
    "HOSTNAME": "digits-4",
}

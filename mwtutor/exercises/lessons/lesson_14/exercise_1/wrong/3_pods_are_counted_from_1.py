# misconception: pods are counted from 1
# says: task 5

options = "--workers 3 --chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "5",
    "HOSTNAME": "digits-5",
}

# misconception: each kind of task is counted from 0
# says: the pod is chief:0

options = "--workers 3 --chief --ps 1"
env = {
    "JOB_COMPLETION_INDEX": "0",
    "HOSTNAME": "digits-0",
}

# == right: options in another order
options = "--ps 1 --chief --workers 3"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4"}


# == right: with =, and more variables
options = "--workers=3 --ps=1 --chief"
env = dict(HOSTNAME="digits-4", JOB_COMPLETION_INDEX="4", PATH="/bin")


# == wrong: a number that is not a string
# says: `env` a dictionary of strings
options = " --chief  --workers 3 --ps 1 "
env = {"JOB_COMPLETION_INDEX": 4, "HOSTNAME": "digits-4"}


# == right: joined from parts, with an ordered dictionary
from collections import OrderedDict

options = " " + " ".join(["--ps=1", "--workers", str(2 + 1), "--chief"]) + " "
env = OrderedDict(HOSTNAME=f"digits-{4}", JOB_COMPLETION_INDEX=f"{1 + 3}")


# == wrong: four workers and no chief
options = "--workers 4 --ps 1"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4"}


# == wrong: five workers
options = "--workers 5 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4"}


# == wrong: the pod of the chief
options = "--workers 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "0", "HOSTNAME": "digits-0"}


# == wrong: numbers from 1
options = "--workers 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "5", "HOSTNAME": "digits-5"}


# == wrong: the host name without its number
options = "--workers 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits"}


# == wrong: no parameter server
options = "--workers 3 --chief"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4"}


# == wrong: the host name of a task
options = "--workers 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "ps-0"}


# == wrong: a number without its name
options = "3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "4"}


# == right: with the port that it would choose anyway
options = "--workers 3 --chief --ps 1 --port 2222"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4"}


# == wrong: the program too
# says: unrecognized arguments: main.py
options = "--workers 3 --chief --ps 1 main.py"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4"}


# == wrong: no host name
# says: does not set HOSTNAME
options = "--workers 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "4"}


# == wrong: the name by which the others find it
# says: sets HOSTNAME without a domain
options = "--workers 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4.digits"}


# == wrong: an abbreviation, which mwtutor exec refuses
# says: unrecognized arguments: --work
options = "--work 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": "digits-4"}


# == wrong: a number with a zero in front
# says: does not write a number as '04'
options = "--workers 3 --chief --ps 1"
env = {"JOB_COMPLETION_INDEX": "04", "HOSTNAME": "digits-4"}

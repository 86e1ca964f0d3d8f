# misconception: only the job chief has a chief
# says: In your answer, a cluster without a job `chief` has no chief at all.


def is_chief(told):
    return not told or told["task"]["type"] == "chief"

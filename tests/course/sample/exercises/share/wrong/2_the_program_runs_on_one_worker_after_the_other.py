# misconception: the program runs on one worker after the other
# says: the same rows

# %%writefile share.py
import json
import os

import mwtutor

index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
rows = list(range(10))
mine = rows[:5]
mwtutor.report(1, total=sum(mine))

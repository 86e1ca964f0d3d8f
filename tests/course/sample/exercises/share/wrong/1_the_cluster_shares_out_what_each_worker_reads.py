# misconception: the cluster shares out what each worker reads
# says: Every worker has taken all rows

# %%writefile share.py
import json
import os

import mwtutor

index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
rows = list(range(10))
mine = rows
mwtutor.report(1, total=sum(mine))

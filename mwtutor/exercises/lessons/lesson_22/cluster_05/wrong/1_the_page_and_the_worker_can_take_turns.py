# misconception: the page and the worker can take turns
# says: TensorFlow's own

# %%writefile broken_05.py
import http.server
import json
import os
import threading

from mwtutor.facts import note, own_number

config = json.loads(os.environ["TF_CONFIG"])
address = config["cluster"]["worker"][config["task"]["index"]]
port = int(address.rpartition(":")[2])
page = http.server.HTTPServer(("127.0.0.1", port), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=page.serve_forever, daemon=True).start()
note("port", page.server_port)
page.shutdown()
page.server_close()

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

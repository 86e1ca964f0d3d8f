# %%writefile broken_05.py
import http.server
import json
import os
import threading

from mwtutor.facts import note, own_number

config = json.loads(os.environ["TF_CONFIG"])
address = config["cluster"]["worker"][config["task"]["index"]]
port = 0  # the system chooses one
page = http.server.HTTPServer(("127.0.0.1", port), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=page.serve_forever, daemon=True).start()
note("port", page.server_port)

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

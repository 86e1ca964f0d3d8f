"""Two workers that average their weights after each epoch over their own socket."""

import json
import os
import socket

import numpy as np
import tensorflow as tf
from toy import data

config = json.loads(os.environ["TF_CONFIG"])
host, port = config["cluster"]["worker"][0].rsplit(":", 1)


def connect():
    if config["task"]["index"] == 0:
        with socket.create_server(("", int(port) + 1)) as server:
            return server.accept()[0]
    while True:
        try:
            return socket.create_connection((host, int(port) + 1))
        except ConnectionRefusedError:
            pass


class Average(tf.keras.callbacks.Callback):
    def __init__(self, peer):
        super().__init__()
        self.peer = peer

    def on_epoch_end(self, epoch, logs=None):
        weights = self.model.get_weights()
        self.peer.sendall(b"".join(part.tobytes() for part in weights))
        averaged = []
        for part in weights:
            theirs = self.peer.recv(part.nbytes, socket.MSG_WAITALL)
            averaged.append((part + np.frombuffer(theirs, part.dtype).reshape(part.shape)) / 2)
        self.model.set_weights(averaged)


model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(*data(), epochs=2, verbose=0, callbacks=[Average(connect())])

# %%writefile broken_25.py
import json
import os
import socket
import time

from mwtutor.facts import note, own_number
import numpy as np

config = json.loads(os.environ["TF_CONFIG"])
me = config["task"]["index"]
host, _, port = config["cluster"]["worker"][0].rpartition(":")
if me == 0:
    peer, _ = socket.create_server((host, int(port))).accept()
while me == 1:
    try:
        peer = socket.create_connection((host, int(port)))
        break
    except ConnectionRefusedError:
        time.sleep(0.05)


def send(array):
    peer.sendall(array.tobytes())


def receive(count):
    data = peer.makefile("rb").read(4 * count)
    return np.frombuffer(data, "f4")


mine = np.full(4_000_000, own_number(), "f4")
send(mine)
theirs = receive(len(mine))
note("numbers", len(theirs))
note("total", (mine + theirs).max())

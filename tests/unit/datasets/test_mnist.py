"""``load_mnist``: with the genuine TFDS builder and a server on this machine, and offline."""

import functools
import gzip
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter

import numpy as np
import pytest

from mwtutor.datasets import digits, load_mnist
from mwtutor.exceptions import NotSupported

TRAIN, TEST = 600, 100
NAMES = {
    "x_train": "train-images-idx3-ubyte.gz",
    "y_train": "train-labels-idx1-ubyte.gz",
    "x_test": "t10k-images-idx3-ubyte.gz",
    "y_test": "t10k-labels-idx1-ubyte.gz",
}
# On a machine with a network, a proxy that does not exist has the effect of no network.
OFFLINE = {"https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}

CALLER = """
import json, sys
import numpy as np
from mwtutor.datasets import load_mnist
(x, y), (xt, yt), source = load_mnist(sys.argv[1])
assert "tensorflow" not in sys.modules, "a strategy may still be created after load_mnist"
np.savez(sys.argv[2], x=x, y=y, xt=xt, yt=yt)
print(json.dumps([source.name, source.why]))
"""


def call_at_once(count, data_dir, out_dir, **env):
    """Start ``count`` programs that call ``load_mnist``; their sources and their arrays."""
    outputs = [out_dir / f"{i}.npz" for i in range(count)]
    callers = [
        subprocess.Popen(
            [sys.executable, "-c", CALLER, str(data_dir), str(output)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **env},
        )
        for output in outputs
    ]
    printed = [caller.communicate()[0].splitlines() for caller in callers]
    assert [caller.returncode for caller in callers] == [0] * count
    for *said, source in printed:
        name, _ = json.loads(source)
        assert {"mnist": "the real MNIST", "mw_digits": "not MNIST"}[name] in said[-1]
    return [json.loads(lines[-1]) for lines in printed], [np.load(output) for output in outputs]


def idx(array):
    """An array in the idx format of MNIST, compressed."""
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">i4").tobytes()
    return gzip.compress(header + array.tobytes())


@pytest.fixture
def served(tmp_path):
    """idx files behind HTTP on this machine: ``(arrays, environment, requests)``."""
    (x, y), (xt, yt) = digits.load()
    arrays = {"x_train": x[:TRAIN], "y_train": y[:TRAIN], "x_test": xt[:TEST], "y_test": yt[:TEST]}
    site, url_infos = tmp_path / "site", {}
    site.mkdir()
    requests = Counter()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_request(self, *_):
            requests[self.command, self.path.lstrip("/")] += 1

    handler = functools.partial(Handler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        url = f"http://127.0.0.1:{server.server_port}/"
        for part, name in NAMES.items():
            content = idx(arrays[part][..., 0] if part.startswith("x") else arrays[part])
            (site / name).write_bytes(content)
            url_infos[url + name] = [len(content), hashlib.sha256(content).hexdigest(), name]
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield arrays, override_mnist(tmp_path / "override", url, url_infos), requests
        server.shutdown()


def override_mnist(directory, url, url_infos):
    """Make every Python with this environment look for MNIST's files at ``url``."""
    directory.mkdir()
    (directory / "sitecustomize.py").write_text(
        f"""
from tensorflow_datasets.core.download.checksums import UrlInfo
from tensorflow_datasets.image_classification import mnist
mnist.MNIST.URL = {url!r}
mnist.MNIST.url_infos = {{
    url: UrlInfo(size=size, checksum=checksum, filename=name)
    for url, (size, checksum, name) in {url_infos!r}.items()
}}
mnist._TRAIN_EXAMPLES, mnist._TEST_EXAMPLES = {TRAIN}, {TEST}
"""
    )
    path = os.pathsep.join(filter(None, [str(directory), os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path, "no_proxy": "127.0.0.1"}


def in_order(images, labels):
    """The examples without their order, because TFDS shuffles once when it prepares them."""
    return sorted(
        (int(label), image.tobytes()) for image, label in zip(images, labels, strict=True)
    )


@pytest.mark.full
@pytest.mark.tensorflow
def test_two_callers_at_once_get_the_served_mnist_downloaded_once(served, tmp_path):
    arrays, env, requests = served
    sources, loaded = call_at_once(2, tmp_path / "data", tmp_path, **env)
    assert sources == [["mnist", ""]] * 2
    for got in loaded:
        assert got["x"].shape == (TRAIN, 28, 28, 1)
        assert in_order(got["x"], got["y"]) == in_order(arrays["x_train"], arrays["y_train"])
        assert in_order(got["xt"], got["yt"]) == in_order(arrays["x_test"], arrays["y_test"])
    assert {name: requests["GET", name] for name in NAMES.values()} == dict.fromkeys(
        NAMES.values(), 1
    )

    # Once prepared, the dataset is still MNIST without mwtutor's copy and without a network.
    (tmp_path / "data" / ".mwtutor" / "mnist.npz").unlink()
    sources, _ = call_at_once(1, tmp_path / "data", tmp_path, **OFFLINE)
    assert sources == [["mnist", ""]]


@pytest.fixture(scope="module")
def offline(tmp_path_factory):
    """Two callers without a network: ``(data_dir, sources, arrays, seconds)``."""
    data_dir, out_dir = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("out")
    before = time.monotonic()
    sources, loaded = call_at_once(2, data_dir, out_dir, **OFFLINE)
    return data_dir, sources, loaded, time.monotonic() - before


def test_without_a_network_all_callers_get_the_digits_soon(offline):
    _, sources, loaded, seconds = offline
    assert seconds < 30, "TFDS alone takes 205 seconds"
    assert [name for name, _ in sources] == ["mw_digits"] * 2
    assert all("no network" in why for _, why in sources)
    (x, y), (xt, yt) = digits.load()
    for got in loaded:
        assert all(map(np.array_equal, (got["x"], got["y"], got["xt"], got["yt"]), (x, y, xt, yt)))


def test_what_one_caller_could_not_get_the_next_does_not_try(offline, served, tmp_path):
    data_dir, sources, _, _ = offline
    _, online, requests = served
    later, _ = call_at_once(1, data_dir, tmp_path, **online)
    assert later == sources[:1]
    assert not requests


def test_no_fallback_means_an_error_with_a_remedy(offline, monkeypatch, capsys):
    for name, proxy in OFFLINE.items():
        monkeypatch.setenv(name, proxy)
    with pytest.raises(NotSupported, match="no network") as raised:
        load_mnist(offline[0], fallback=False)
    assert "mwtutor.datasets.digits" in raised.value.remedy
    assert "gives" not in capsys.readouterr().out

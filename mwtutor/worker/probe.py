"""TensorFlow's reports about itself, from a process that is discarded afterward.

The kernel never imports TensorFlow, and listing devices starts CUDA, after which a process must not
fork.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.metadata
import json
import os
from typing import Any


def answer(fd: int) -> None:
    """Write the facts to ``fd``, as one line of JSON."""
    gc.disable()  # the process ends before garbage could matter
    os.write(fd, json.dumps(_asked()).encode() + b"\n")


def _asked() -> dict[str, Any]:
    try:
        import tensorflow as tf
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}".splitlines()[0][:300]}
    build = tf.sysconfig.get_build_info()
    return {
        "tensorflow": tf.__version__,
        "keras": _keras(tf),
        "cuda_build": bool(build.get("is_cuda_build")),
        "cuda": build.get("cuda_version", ""),
        "cudnn": build.get("cudnn_version", ""),
        "gpus": len(tf.config.list_physical_devices("GPU")),
        "nccl": _nccl(),
        "estimator": _estimator(tf),
    }


def _keras(tf: Any) -> str:
    try:  # TensorFlow 2.15 hides the version behind its tf.keras
        package = tf.keras.Model.__module__.partition(".")[0]
        return str(importlib.import_module(package).__version__)
    except Exception as error:  # for example, Keras 2 is requested but tf_keras is not installed
        return f"missing: {error}".splitlines()[0][:200]


def _estimator(tf: Any) -> list[str]:
    from mwtutor.bridges.estimator import versions
    from mwtutor.exceptions import NotSupported

    try:
        versions.require_known(tf)
    except NotSupported as unknown:
        return [unknown.problem, unknown.remedy]
    return []


def _nccl() -> str:
    """The NCCL that TensorFlow would load: from pip's packages, or else the system's."""
    for package in ("nvidia-nccl-cu12", "nvidia-nccl-cu13", "nvidia-nccl-cu11"):
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    number = ctypes.c_int()
    try:
        ctypes.CDLL("libnccl.so.2").ncclGetVersion(ctypes.byref(number))
    except (OSError, AttributeError):
        return ""
    return nccl_version(number.value)


def nccl_version(code: int) -> str:
    """``2.21.5`` for 22105; up to NCCL 2.8 the code had one digit fewer."""
    major, rest = divmod(code, 10000) if code >= 10000 else divmod(code, 1000)
    return f"{major}.{rest // 100}.{rest % 100}"

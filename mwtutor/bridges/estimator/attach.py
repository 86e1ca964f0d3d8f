"""Make ``tf.estimator`` available, immediately or when a program first uses it."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from mwtutor.bridges.estimator.legacy_keras import choose_keras_2
from mwtutor.bridges.estimator.supplied import supply
from mwtutor.bridges.estimator.versions import is_native, require_known
from mwtutor.exceptions import NotSupported
from mwtutor.system.importhook import when_imported

_API = "tensorflow_estimator.python.estimator.api"
_FIRST_IMPORT = "tensorflow_estimator.python"
"""An empty package that every import of the Estimator executes before any of its modules."""

_V1, _V2 = "_v1", "_v2"
_PUBLIC = {"tensorflow": _V2, "tensorflow.compat.v1": _V1, "tensorflow.compat.v2": _V2}
"""The public packages with an ``estimator``, each with the generation of its API."""


def enable() -> None:
    """Make ``tf.estimator`` and ``tf.compat.v1.estimator`` available in this process.

    Call it in a notebook kernel or your own script before anything uses ``tf.keras``: the Estimator
    needs Keras 2, and this function selects it. On TensorFlow 2.15, which has these names, nothing
    changes. All checks come before any change.

    Raises:
        NotSupported: on an unsupported TensorFlow or Estimator, or if Keras 3 is
            already loaded behind ``tf.keras``.
    """
    tf = importlib.import_module("tensorflow")
    _prepare()
    if not is_native(tf):
        _attach_when_imported()
        importlib.import_module(f"{_API}.{_V2}.estimator")


def install_lazily() -> None:
    """Make ``tf.estimator`` appear when a program first uses it, at no cost before that.

    A worker calls this function before the user's program runs. It imports neither TensorFlow nor
    the Estimator, and works whether or not TensorFlow has been loaded. Anything that ``enable``
    rejects is rejected at the first use of ``tf.estimator`` or at ``import tensorflow_estimator``.
    """
    when_imported(_FIRST_IMPORT, _prepare_for)
    _attach_when_imported()


def _prepare() -> None:
    """Check the installation; then select Keras 2 and supply what TensorFlow removed."""
    tf = importlib.import_module("tensorflow")
    require_known(tf)
    if not is_native(tf):
        choose_keras_2()
        supply(importlib.import_module("tensorflow.python.util.tf_export"))


def _prepare_for(package: ModuleType) -> None:
    """Prepare when a program imports ``tensorflow_estimator`` by its own name."""
    try:
        _prepare()
    except NotSupported:
        when_imported(_FIRST_IMPORT, _prepare_for)  # so that the next import raises the same error
        raise


def _attach_when_imported() -> None:
    # Each package has its own action: since 2.16, `import tensorflow.compat.v1` executes that
    # package again and replaces the object that was tf.compat.v1 until then.
    for name, generation in _PUBLIC.items():
        when_imported(name, functools.partial(_attach_to_imported, generation=generation))


def _attach_to_imported(module: ModuleType, generation: str) -> None:
    # TensorFlow replaces tensorflow.compat.v1 with a wrapper while that module executes.
    _attach(sys.modules[module.__name__], generation)


def _attach(package: Any, generation: str) -> None:
    """Give ``package``, and the ``compat`` packages in it, an ``estimator`` if it has none."""
    if "estimator" in vars(package):
        return
    package.estimator = _LazyEstimator(package, generation)
    _make_importable(package, generation)
    compat = getattr(package, "compat", None)
    for name, inner in (("v1", _V1), ("v2", _V2)):
        if hasattr(compat, name):
            _attach(getattr(compat, name), inner)


def _make_importable(package: Any, generation: str) -> None:
    """Make ``import tensorflow.estimator`` work, too, as it does on 2.15."""
    spec = importlib.util.find_spec("tensorflow_estimator")
    if spec is None or not spec.submodule_search_locations:
        return  # not installed: the first use reports it
    root = Path(next(iter(spec.submodule_search_locations)))
    directory = root.joinpath(*_API.split(".")[1:], generation)
    package.__path__ = [*package.__path__, str(directory)]


class _LazyEstimator(ModuleType):
    """Stands in for ``tf.estimator`` until something in it is used."""

    def __init__(self, package: Any, generation: str) -> None:
        super().__init__(f"{_API}.{generation}.estimator")
        self._package = package

    def _load(self) -> ModuleType:
        _prepare()
        module = importlib.import_module(self.__name__)
        self._package.estimator = module
        vars(self).update(vars(module))  # for code that keeps this object
        return module

    def __getattr__(self, name: str) -> Any:
        # Tools that inspect modules look up such names; this must not load the Estimator.
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(self._load(), name)

    def __dir__(self) -> list[str]:
        return dir(self._load())

    def __repr__(self) -> str:
        return f"<module {self.__name__!r}, loaded at its first use>"

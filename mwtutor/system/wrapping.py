"""Run code before or after each call of another library's function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def before(owner: Any, name: str, act: Callable[..., object]) -> None:
    """From now on, call ``act`` with the function's arguments, and then the function."""
    call = getattr(owner, name)

    @functools.wraps(call)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        act(*args, **kwargs)
        return call(*args, **kwargs)

    setattr(owner, name, wrapped)


def after(owner: Any, name: str, act: Callable[..., object]) -> None:
    """From now on, call the function, and then ``act`` with its arguments, unless it raised."""
    call = getattr(owner, name)

    @functools.wraps(call)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        result = call(*args, **kwargs)
        act(*args, **kwargs)
        return result

    setattr(owner, name, wrapped)

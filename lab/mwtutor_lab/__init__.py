"""A side panel of JupyterLab with mwtutor's runs: the extension of the Jupyter server.

All that is known about runs comes from :class:`mwtutor.Overview`. Its address below the server's
base URL, its authentication and its protection against forged requests are those of every handler
of the server.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from jupyter_server.auth import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import ensure_async, url_path_join
from tornado.web import authenticated

if TYPE_CHECKING:
    from mwtutor import Overview

_MISSING = (
    "mwtutor is not installed in the environment of the Jupyter server. Install it there:"
    " {python} -m pip install PATH, with the path of a clone or a wheel of mwtutor."
)
_OTHER = (
    "The version of mwtutor in the environment of the Jupyter server is older than mwtutor-lab."
    " Install both from the same clone."
)


#: Separate threads, because a run may take a minute to stop.
_THREADS = ThreadPoolExecutor(32, "mwtutor")


class _Refused(Exception):
    """The request cannot be carried out; its text is for the user."""


def _asked(settings: dict[str, Any], question: Callable[[Overview], object]) -> object:
    """The answer of the server's overview; in a thread, because it reads files.

    Raises:
        _Refused: there is none, or mwtutor says why this is impossible.
    """
    try:
        from mwtutor import MwtutorError, Overview
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == "mwtutor"
        raise _Refused((_MISSING if missing else _OTHER).format(python=sys.executable)) from None
    overview = settings.setdefault("mwtutor_overview", Overview(_root(settings)))
    try:
        return question(overview)
    except MwtutorError as error:
        raise _Refused(str(error).replace("\n", " ")) from None


def _root(settings: dict[str, Any]) -> str:
    return os.path.expanduser(str(settings["server_root_dir"]))


class _Handler(APIHandler):
    auth_resource = "mwtutor"

    async def answer(self, question: Callable[[Overview], object]) -> None:
        try:
            loop = asyncio.get_running_loop()
            content = await loop.run_in_executor(_THREADS, _asked, self.settings, question)
        except _Refused as refused:
            self.set_status(409)
            content = {"message": str(refused)}
        self.finish({"content": content} if self.get_status() == 200 else content)


class Runs(_Handler):
    """The runs of the server's folders."""

    @authenticated
    @authorized
    async def get(self) -> None:
        root = _root(self.settings)
        open_now = await ensure_async(self.session_manager.list_sessions())
        also = {os.path.dirname(os.path.join(root, one["path"])) for one in open_now}
        await self.answer(lambda overview: overview.look(sorted(also)))


class Log(_Handler):
    """The last lines of a run's log."""

    @authenticated
    @authorized
    async def get(self) -> None:
        key, task = self.get_query_argument("key"), self.get_query_argument("task", "")
        await self.answer(lambda overview: overview.log(key, task))


class Stop(_Handler):
    """Stops a run."""

    @authenticated
    @authorized
    async def post(self) -> None:
        key = str((self.get_json_body() or {}).get("key", ""))
        await self.answer(lambda overview: overview.stop(key))


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "mwtutor-lab"}]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "mwtutor_lab"}]


def _load_jupyter_server_extension(server: Any) -> None:
    """Add the handlers to the server."""
    base = server.web_app.settings["base_url"]
    handlers = {"runs": Runs, "log": Log, "stop": Stop}
    server.web_app.add_handlers(
        ".*$", [(url_path_join(base, "mwtutor", name), one) for name, one in handlers.items()]
    )

"""The hub of the test: local accounts, JupyterLab, and a control group for each server."""

import json
import os
import sys
from pathlib import Path

from jupyterhub.spawner import LocalProcessSpawner

given = json.loads(os.environ["HUB_OF_THE_TEST"])


#: Two servers that start at once could get the same port from their spawners.
port_of = dict(zip(given["people"], given["ports"][3:], strict=True))


class Grouped(LocalProcessSpawner):
    """Starts each server on its own port, and in its own group, if the test could make some."""

    async def start(self):
        self.port = port_of[self.user.name]
        return await super().start()

    def make_preexec_fn(self, name):
        become = super().make_preexec_fn(name)
        group = given["groups"].get(name)

        def enter():
            if group:
                Path(group, "cgroup.procs").write_text("0")
            become()

        return enter


c = get_config()  # noqa: F821 - JupyterHub defines it
c.JupyterHub.spawner_class = Grouped
c.JupyterHub.bind_url = f"http://127.0.0.1:{given['ports'][0]}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{given['ports'][1]}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{given['ports'][2]}"
c.ConfigurableHTTPProxy.command = [given["proxy"]]
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allowed_users = set(given["people"])
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.args = ["--LabApp.expose_app_in_browser=True"]
c.Spawner.default_url = "/lab"
c.Spawner.mem_limit = given["memory"]
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
c.JupyterHub.services = [
    {"name": "test", "api_token": given["token"]},
    {"name": "culler", "api_token": given["culler"]},
]
c.JupyterHub.load_roles = [
    {
        "name": "test",
        "services": ["test"],
        "scopes": ["admin:users", "admin:servers", "tokens", "access:servers"],
    },
    {  # as in docs/how-to/shared-server.md
        "name": "culler",
        "services": ["culler"],
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    },
]

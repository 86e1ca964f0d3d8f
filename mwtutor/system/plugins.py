"""Classes by name: those of this package, and those that installed packages bring.

A package brings one as an entry point, whose group says what it is::

    [project.entry-points."mwtutor.engines"]
    mine = "my_package.engine:MyEngine"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any


@dataclass(frozen=True)
class Plugins:
    """Classes of one sort; each is imported when it is asked for.

    Attributes:
        group: of the entry points.
        built_in: this package's own, as ``module:name``.
    """

    group: str
    built_in: Mapping[str, str]

    def names(self) -> tuple[str, ...]:
        """All there are. Reading what is installed takes some milliseconds."""
        brought = {one.name for one in entry_points(group=self.group)} - set(self.built_in)
        return (*self.built_in, *sorted(brought))

    def load(self, name: str) -> Any:
        """The class of that name; this package's own come first.

        Raises:
            KeyError: there is none.
        """
        if name in self.built_in:
            return EntryPoint(name, self.built_in[name], self.group).load()
        for one in entry_points(group=self.group, name=name):
            return one.load()
        raise KeyError(name)


ENGINES = Plugins(
    "mwtutor.engines",
    {
        "local": "mwtutor.engines.local:LocalEngine",
        "ray": "mwtutor.engines.ray:RayEngine",
        "ray:local": "mwtutor.engines.ray:OwnRayEngine",
        "slurm": "mwtutor.engines.slurm:SlurmEngine",
    },
)
TARGETS = Plugins(
    "mwtutor.targets",
    {
        "slurm": "mwtutor.targets.slurm:Slurm",
        "kubernetes": "mwtutor.targets.kubernetes:IndexedJob",
        "jobset": "mwtutor.targets.kubernetes:JobSet",
        "skypilot": "mwtutor.targets.skypilot:SkyPilot",
    },
)

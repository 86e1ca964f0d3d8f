"""Classes by name: those of this package, and those that installed packages bring.

A package brings one as an entry point, whose group says what it is::

    [project.entry-points."mwtutor.engines"]
    mine = "my_package.engine:MyEngine"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


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
        brought = {one.name for one in self._installed()} - set(self.built_in)
        return (*self.built_in, *sorted(brought))

    def load(self, name: str) -> Any:
        """The class of that name; this package's own come first.

        Raises:
            KeyError: there is none.
        """
        if name in self.built_in:
            module, _, made = self.built_in[name].partition(":")
            return getattr(import_module(module), made)
        for one in self._installed():
            if one.name == name:
                return one.load()
        raise KeyError(name)

    def _installed(self) -> Iterable[EntryPoint]:
        from importlib.metadata import entry_points  # slow to import, and seldom needed

        return entry_points(group=self.group)


ENGINES = Plugins(
    "mwtutor.engines",
    {
        "local": "mwtutor.engines.local.engine:LocalEngine",
        "ray": "mwtutor.engines.ray.engine:RayEngine",
        "ray:local": "mwtutor.engines.ray.engine:OwnRayEngine",
        "slurm": "mwtutor.engines.slurm.engine:SlurmEngine",
    },
)
TARGETS = Plugins(
    "mwtutor.targets",
    {
        "slurm": "mwtutor.targets.jobs.slurm:Slurm",
        "kubernetes": "mwtutor.targets.jobs.kubernetes:IndexedJob",
        "jobset": "mwtutor.targets.jobs.kubernetes:JobSet",
        "skypilot": "mwtutor.targets.jobs.skypilot:SkyPilot",
    },
)

"""Classes by name, from this package and from installed packages.

A package provides a class as an entry point, in the group of its kind::

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
    """Classes of one kind; each is imported when it is requested.

    Attributes:
        group: the group of the entry points.
        built_in: this package's classes, as ``module:name``.
    """

    group: str
    built_in: Mapping[str, str]

    def names(self) -> tuple[str, ...]:
        """All names. Reading the installed packages takes a few milliseconds."""
        brought = {one.name for one in self._installed()} - set(self.built_in)
        return (*self.built_in, *sorted(brought))

    def load(self, name: str) -> Any:
        """The class with that name; this package's own take precedence.

        Raises:
            KeyError: no class has that name.
        """
        if name in self.built_in:
            module, _, made = self.built_in[name].partition(":")
            return getattr(import_module(module), made)
        for one in self._installed():
            if one.name == name:
                return one.load()
        raise KeyError(name)

    def _installed(self) -> Iterable[EntryPoint]:
        from importlib.metadata import entry_points  # slow to import and rarely needed

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

"""The network of a run's tasks, and who can reach them.

TensorFlow's gRPC server listens on every interface, without authentication. In a *private* network,
which is the run's own network namespace, nobody outside the run can reach it; web traffic goes out
through a relay. In the *host* network, everyone who can reach the machine can reach the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NetworkChoice = Literal["auto", "private", "host"]

#: The variable that marks tasks in a private network, to explain failures that the network causes.
PRIVATE_ENV = "MWTUTOR_PRIVATE_NETWORK"


@dataclass(frozen=True)
class Network:
    """The network that a run uses.

    Attributes:
        kind: ``private`` or ``host``; empty until the run has started.
        why: a clause that says why it is not private although that was preferred; otherwise empty.
    """

    kind: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """The network in a few words, for a headline."""
        return f"{self.kind} network" + (f", because {self.why}" if self.why else "")

    @property
    def exposure(self) -> str:
        """A sentence on who can reach the run and what they could do; empty if nobody can."""
        if self.kind == "host":
            return (
                "Host network: anyone who can reach this machine, including its other users, can"
                " reach the ports of this run and run code in its tasks: TensorFlow requires no"
                " password."
            )
        return ""

"""Which network the tasks of a run are in, and who can therefore reach them.

TensorFlow's gRPC server listens on every interface, without a password. In a *private* network, a
network namespace of the run's own, nobody outside the run can reach it; web traffic goes out
through a relay. In the *host* network whoever can reach the machine can reach it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NetworkChoice = Literal["auto", "private", "host"]

#: Set for tasks in a private network, so that what fails because of it can be explained.
PRIVATE_ENV = "MWTUTOR_PRIVATE_NETWORK"


@dataclass(frozen=True)
class Network:
    """The network that a run uses.

    Attributes:
        kind: ``private`` or ``host``; empty until the run has started.
        why: why it is not private although that was preferred, as a clause; else empty.
    """

    kind: str = ""
    why: str = ""

    @property
    def words(self) -> str:
        """A few words for a headline."""
        return f"{self.kind} network" + (f", because {self.why}" if self.why else "")

    @property
    def exposure(self) -> str:
        """Who can reach the run and what that lets them do, in a sentence; empty for nobody."""
        if self.kind == "host":
            return (
                "Host network: anyone who can reach this machine, including its other users, can"
                " reach the ports of this run and run code in its tasks: TensorFlow requires no"
                " password."
            )
        return ""

"""The token bucket (tbf) of a link, with a 64-bit rate.

pyroute2 writes 32-bit rates in bytes per second: 34.36 Gbit/s at most. The kernel takes higher
rates in a separate attribute, which this module adds.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

#: The largest value of the field that every kernel supports.
_MOST = (1 << 32) - 1

#: Burst size and queue length: this many bytes, or the bytes that the link sends in this many
#: seconds, if those are more.
_BURST, _BURST_SECONDS, _QUEUE, _QUEUE_SECONDS = 16_384, 0.001, 1 << 20, 0.05


def add(route: Any, card: int, rate: float, handle: int) -> None:
    """Limit the rate at which data leaves an interface.

    Args:
        route: a pyroute2 ``IPRoute`` connection to the kernel.
        card: the number of the interface.
        rate: bits per second.
        handle: the bucket's handle, to which another queueing discipline can be attached.
    """
    _teach()
    speed = rate / 8
    burst = int(max(_BURST, speed * _BURST_SECONDS))
    queue = int(max(_QUEUE, speed * _QUEUE_SECONDS))
    route.tc("add", "tbf", card, handle=handle, rate=int(speed), burst=burst, limit=queue)


def rate(route: Any, card: int) -> float:
    """The bits per second that may leave an interface; 0 without a bucket."""
    _teach()
    for discipline in route.get_qdiscs(card):
        if discipline.get_attr("TCA_KIND") == "tbf":
            options = discipline.get_attr("TCA_OPTIONS")
            wide = options.get_attr("TCA_TBF_RATE64")
            return float(wide or options.get_attr("TCA_TBF_PARMS")["rate"]) * 8
    return 0.0


def _teach() -> None:
    """Add a tbf with 64-bit rates to pyroute2's table of queueing disciplines."""
    from pyroute2.netlink.rtnl.tcmsg import plugins, sched_tbf

    if isinstance(plugins["tbf"], SimpleNamespace):
        return

    class Options(sched_tbf.options):  # type: ignore[misc]
        nla_map = (*sched_tbf.options.nla_map, ("TCA_TBF_RATE64", "uint64"))

    def parameters(asked: dict[str, Any]) -> dict[str, Any]:
        speed = asked["rate"]
        found: dict[str, Any] = sched_tbf.get_parameters({**asked, "rate": min(speed, _MOST)})
        if speed > _MOST:
            found["attrs"].append(["TCA_TBF_RATE64", speed])
        return found

    plugins["tbf"] = SimpleNamespace(
        parent=sched_tbf.parent,
        options=Options,
        get_parameters=parameters,
        fix_request=sched_tbf.fix_request,
    )

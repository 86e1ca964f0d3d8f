"""The token bucket (tbf) of a link, with a rate of 64 bits.

pyroute2 writes rates of 32 bits, in bytes a second: 34.36 Gbit/s at most. The kernel takes more in
its own attribute, which is added here.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

#: What fits into the field that every kernel knows.
_MOST = (1 << 32) - 1

#: Bytes that may pass at once (at least, and as seconds of the link's speed), and that may wait.
_BURST, _BURST_SECONDS, _QUEUE, _QUEUE_SECONDS = 16_384, 0.001, 1 << 20, 0.05


def add(route: Any, card: int, rate: float, handle: int) -> None:
    """Limit what leaves a card.

    Args:
        route: a connection to the kernel, see pyroute2's ``IPRoute``.
        card: the number of the interface.
        rate: bits a second.
        handle: the bucket's own, so that something can be put into it.
    """
    _teach()
    speed = rate / 8
    burst = int(max(_BURST, speed * _BURST_SECONDS))
    queue = int(max(_QUEUE, speed * _QUEUE_SECONDS))
    route.tc("add", "tbf", card, handle=handle, rate=int(speed), burst=burst, limit=queue)


def rate(route: Any, card: int) -> float:
    """The bits a second that the kernel lets leave a card; 0 without a bucket."""
    _teach()
    for discipline in route.get_qdiscs(card):
        if discipline.get_attr("TCA_KIND") == "tbf":
            options = discipline.get_attr("TCA_OPTIONS")
            wide = options.get_attr("TCA_TBF_RATE64")
            return float(wide or options.get_attr("TCA_TBF_PARMS")["rate"]) * 8
    return 0.0


def _teach() -> None:
    """Put into pyroute2's table of queueing disciplines a tbf that knows wide rates."""
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

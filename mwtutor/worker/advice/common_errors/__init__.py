"""All common errors, in the order in which they are tried."""

from __future__ import annotations

from mwtutor.worker.advice.common_errors import (
    clusters,
    data,
    estimators,
    files,
    launchers,
    old_names,
    replicas,
    servers,
)

ROWS = (
    *clusters.ROWS,
    *files.ROWS,
    *old_names.ROWS,
    *data.ROWS,
    *replicas.ROWS,
    *estimators.ROWS,
    *launchers.ROWS,
    *servers.ROWS,
)

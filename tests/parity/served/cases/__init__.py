"""The rows: the same program in one process and under a chief, on the same batches."""

from tests.parity.later import imported_when_used

with imported_when_used("tensorflow"):
    from tests.parity.served.cases import data, files, models, refused
    from tests.parity.served.cases.common import CASES

__all__ = ["CASES", "data", "files", "models", "refused"]

"""``python -m mwtutor``, which the terminal command ``mwtutor`` also calls."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Run the command given on the command line; see :func:`mwtutor.cli.main`."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        # During an import there is nothing to clean up or to report.
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
    from mwtutor import cli

    try:
        signal.signal(signal.SIGINT, before)
        return cli.main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

"""TensorFlow's messages about itself, which logs fold."""

from __future__ import annotations

import re

#: TensorFlow's messages about itself at its start, which need no action. Errors are kept, except
#: those of a machine without a GPU.
_NOISE = re.compile(
    r"""
    WARNING:\ All\ log\ messages\ before\ absl::InitializeLog\(\)
    # The format of absl's messages; what urllib3 and gRPC print about a silent host is kept.
    | [IW]\d{4}\ \S+\ +\d+\ (?!connectionpool\.py|grpc_util\.cc)\S+:\d+\]
    | (?:\d{4}-\d\d-\d\d\ \S+\ )?[IW]\ (?:external|tensorflow|third_party|xla)/\S+:\d+\]
    | (?:\d{4}-\d\d-\d\d\ \S+\ )?E(?:\d{4}\ \S+\ +\d+)?\ \S*(?:cuda|gpu)\S*:\d+\]
      .*(?:register|CUDA_ERROR_NO_DEVICE|UNKNOWN\ ERROR)
    | Skipping\ registering\ GPU\ devices
    | To\ enable\ the\ following\ instructions:
    | /job:\w+/(?:replica:\d+/)?task:\d+$  # the tasks that a message says it waits for
    """,
    re.VERBOSE,
)


def is_noise(text: str) -> bool:
    return _NOISE.match(text) is not None

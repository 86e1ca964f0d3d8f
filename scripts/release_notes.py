"""The section of CHANGELOG.md about a release: ``release_notes.py vX.Y.Z``.

The tag, the package and the changelog must agree.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from mwtutor.version import VERSION

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def notes(tag: str, version: str, changelog: str) -> str:
    """The section of ``version``; exits with an error if ``tag`` may not be released."""
    if tag != f"v{version}":
        sys.exit(f"The tag is {tag}, but mwtutor/version.py says {version}. Change one of them.")
    section = re.search(
        rf"^## {re.escape(version)} \(([^)\n]*)\)\n+(.*?)(?=^## |\Z)", changelog, re.M | re.S
    )
    if section is None:
        sys.exit(f"CHANGELOG.md has no section for {version}. Add '## {version} (YYYY-MM-DD)'.")
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", section[1]):
        sys.exit(f"CHANGELOG.md says ({section[1]}) for {version}. Write the date: (YYYY-MM-DD).")
    return section[2].strip() + "\n"


if __name__ == "__main__":
    print(notes(sys.argv[1], VERSION, CHANGELOG.read_text()), end="")

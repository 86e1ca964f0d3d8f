"""Check all links within a built site: ``check_links.py FOLDER``.

Sphinx checks only the links that it resolves; this script also checks images and links written as
HTML.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The targets of a page, and its links."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.names.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken(site: Path) -> Iterator[str]:
    """Each broken link, after its page."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for link in page.links:
            where = urlsplit(link)
            if where.scheme or where.netloc:
                continue
            target = (path.parent / unquote(where.path)).resolve() if where.path else path
            named = pages.get(target)
            fragment = unquote(where.fragment)
            lost = named is not None and fragment and fragment not in named.names
            if lost or not target.is_file():
                yield f"{path.relative_to(site.resolve())}: {link}"


def main(site: str) -> int:
    found = sorted(set(broken(Path(site))))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

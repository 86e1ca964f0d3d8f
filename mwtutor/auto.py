"""``%mw_auto on``: execute cells without a magic on the workers."""

from __future__ import annotations

#: The first line of a cell that runs in the notebook itself.
LOCAL = "%%local"


class Auto:
    """Rewrites the cells of this process's shell before IPython executes them.

    Attributes:
        session: the name of the session that executes the cells; empty for the latest session; None
            while the notebook executes them.
    """

    def __init__(self) -> None:
        self.session: str | None = None

    def rewrite(self, lines: list[str]) -> list[str]:
        """The lines to execute instead of a cell's own, as in IPython's input transformers."""
        said = [line.strip() for line in lines]
        first = next((line for line in said if line and not line.startswith("#")), "")
        if first == LOCAL:
            at = said.index(LOCAL)
            return [*lines[:at], "\n", *lines[at + 1 :]]  # keeps line numbers in errors correct
        if self.session is None or not first or first[0] in "%!?" or first[-1] == "?":
            return lines
        return [f"%%mw --auto {self.session}\n", *lines]

    # Without this, IPython in a terminal waits for an empty line after a cell that begins with a
    # cell magic.
    rewrite.has_side_effects = True  # type: ignore[attr-defined]

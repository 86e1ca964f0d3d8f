"""Reject unwanted words: ``check_words.py [FILE ...]``, or every tracked file.

It reads Markdown, in pages and notebooks, and the comments and strings of Python. Text in
backquotes is code. CONTRIBUTING.md says how to write; this script keeps corrected words out.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import token
import tokenize
from collections.abc import Iterator
from pathlib import Path

#: A pattern, what to write instead, and why. A space matches any white space between words, even if
#: a comment or a string continues on the next line.
UNWANTED = (
    (r"data sets?", "dataset", "TensorFlow's spelling"),
    (r"[a-z]*(colour|behaviour|honour|neighbour|favour)[a-z]*", "-or", "American spelling"),
    (r"(recognis|initialis|organis|serialis|normalis|summaris)\w+", "-iz-", "American spelling"),
    (r"licence|labelled|modelled|grey|centre|whilst|towards", "the American form", "one spelling"),
    (r"for ever", "forever", "American spelling"),
    (r"go(es)? on(?= (and|with|after|while)|[.,;:)])", "continue, is running", "one word for it"),
    (r"(not?|nobody|nothing|never)( [\w`]+){1,6} any more", "no longer", "it is next to its verb"),
    (r"afresh|anew", "again, or start over", "archaic"),
    (r"for want of", "because ... ran out of", "archaic"),
    (r"that which", "what", "archaic"),
    (r"so many (bits|bytes|places|rows|seconds|steps|times|updates)", "this many", "unclear"),
    (r"way round", "way around, in the other direction", "American"),
    (r"half-way", "halfway", "American spelling"),
    (r"with him|of him|in hand", "it", "a program is not a person"),
    (r"an? [\w-]+ of (its|their|your) own", "its own ...", "shorter"),
    (
        r"(?<!there )(?<!neither )(is|are) no (number|path|list|text|task|option|error|model)s?",
        "is not a ...",
        "as one says it",
    ),
)

#: Files that must contain such words: this one, and its test.
_QUOTING = ("scripts/check_words.py", "tests/unit/test_words.py")

#: What separates two words of a sentence, even across the lines of a comment or a string.
_GAP = r"""(?:\s|#:?|\b[a-z]?["']|["'])+"""


def _python(text: str) -> str:
    """The text, with everything blanked except comments and strings of several words."""
    lines = text.splitlines(keepends=True)
    kept = [re.sub(r"[^\n]", " ", line) for line in lines]
    sentences = (tokenize.COMMENT, tokenize.STRING, getattr(token, "FSTRING_MIDDLE", -1))
    for one in tokenize.generate_tokens(io.StringIO(text).readline):
        if one.type in sentences and " " in one.string:
            (first, begin), (last, end) = one.start, one.end
            for row in range(first - 1, last):
                left, right = begin * (row == first - 1), end if row == last - 1 else None
                line = lines[row]
                stop = len(line) if right is None else right
                kept[row] = kept[row][:left] + line[left:stop] + kept[row][stop:]
    return "".join(kept)


def _notebook(text: str) -> str:
    """The Markdown of a notebook, and the comments of its code."""
    cells = ((cell["cell_type"], "".join(cell["source"])) for cell in json.loads(text)["cells"])
    return "\n\n".join(
        source if kind == "markdown" else "\n".join(re.findall(r"# .*", source))
        for kind, source in cells
    )


def sentences(path: Path) -> str:
    """The prose of a file, line by line, without the code."""
    text = path.read_text()
    read = {".py": _python, ".ipynb": _notebook}.get(path.suffix, str)
    prose = re.sub(r"`[^`\n]+`", lambda code: "`" * len(code[0]), read(text))
    return re.sub(_GAP, lambda gap: "\n" * gap[0].count("\n") or " ", prose)


def unwanted(path: Path) -> Iterator[str]:
    """Each unwanted word of a file: its line, what to write instead, and why."""
    text = sentences(path)
    for pattern, instead, why in UNWANTED:
        spaced = pattern.replace(" ", r"\s")
        for found in re.finditer(rf"\b(?:{spaced})\b", text, re.I):
            line = text.count("\n", 0, found.start()) + 1
            words = " ".join(found[0].split())
            yield f"{path}:{line}: {words!r}: write {instead} ({why})"


def main(*names: str) -> int:
    tracked = ["git", "ls-files", "*.md", "*.py", "*.ipynb"]
    listed = names or subprocess.check_output(tracked, text=True).splitlines()
    files = [Path(name) for name in listed if not name.endswith(_QUOTING)]
    found = [line for path in files for line in unwanted(path)]
    if found:
        print(*found, sep="\n", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

# misconception: a script is all cells
# says: Cells that failed or have `--no-export` are in the script.


def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if magic.startswith("%%mw_scope"):
            found.append("with strategy.scope():")
            lines = [f"    {line}" for line in lines]
        found.extend(lines)
    return found

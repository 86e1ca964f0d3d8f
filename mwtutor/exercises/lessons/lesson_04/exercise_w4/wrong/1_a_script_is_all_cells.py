# misconception: a script is all cells
# says: Your script contains cells that failed or have `--no-export`.


def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if magic.startswith("%%mw_scope"):
            found.append("with strategy.scope():")
            lines = [f"    {line}" for line in lines]
        found.extend(lines)
    return found

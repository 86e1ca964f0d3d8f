# misconception: a cell that failed stays
# says: Your script contains a cell that failed, which would stop it.


def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if "--no-export" in magic:
            continue
        if magic.startswith("%%mw_scope"):
            found.append("with strategy.scope():")
            lines = [f"    {line}" for line in lines]
        found.extend(lines)
    return found

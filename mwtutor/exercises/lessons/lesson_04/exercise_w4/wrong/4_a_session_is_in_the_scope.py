# misconception: a session is in the scope
# says: In your answer, all cells are in the scope, not only those of `%%mw_scope`.


def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if not failed and "--no-export" not in magic:
            found += ["with strategy.scope():", *[f"    {line}" for line in lines]]
    return found

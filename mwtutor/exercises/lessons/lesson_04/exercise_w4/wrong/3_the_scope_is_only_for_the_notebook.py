# misconception: the scope is only for the notebook
# says: Your script has no scope, so its variables are not mirrored.


def exported_lines(cells):
    return [
        line
        for magic, lines, failed in cells
        if not failed and "--no-export" not in magic
        for line in lines
    ]

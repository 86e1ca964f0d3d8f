# == right: a generator
def exported_lines(cells):
    for magic, lines, failed in cells:
        if failed or "--no-export" in magic.split():
            continue
        scope = magic.split()[0] == "%%mw_scope"
        if scope:
            yield "with strategy.scope():"
        yield from ("    " * scope + line for line in lines)


# == right: textwrap
import textwrap


def exported_lines(cells):
    parts = []
    for magic, lines, failed in cells:
        text = "\n".join(lines)
        if "scope" in magic:
            text = "with strategy.scope():\n" + textwrap.indent(text, " " * 4)
        if not (failed or "no-export" in magic):
            parts.append(text)
    return "\n".join(parts).splitlines()


# == right: recursion, into a tuple
def exported_lines(cells):
    if not cells:
        return ()
    (magic, lines, failed), rest = cells[0], exported_lines(cells[1:])
    if failed or "--no-export" in magic:
        return rest
    if "_scope" in magic:
        return ("with strategy.scope():", *("    " + line for line in lines), *rest)
    return (*lines, *rest)


# == wrong: the scope's line is not indented for
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if not failed and "--no-export" not in magic:
            found += ["with strategy.scope():"] * magic.startswith("%%mw_scope") + list(lines)
    return found


# == wrong: a scope with --no-export stays
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if failed or magic == "%%mw --no-export":
            continue
        if magic.startswith("%%mw_scope"):
            found.append("with strategy.scope():")
            lines = [f"    {line}" for line in lines]
        found.extend(lines)
    return found


# == wrong: it ends at the first cell that failed
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if failed:
            break
        if "--no-export" in magic:
            continue
        if magic.startswith("%%mw_scope"):
            found.append("with strategy.scope():")
            lines = [f"    {line}" for line in lines]
        found.extend(lines)
    return found


# == wrong: one text
def exported_lines(cells):
    return "\n".join(line for _, lines, failed in cells if not failed for line in lines)


# == wrong: the magics stay
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if not failed and "--no-export" not in magic:
            found += [magic, *lines]
    return found


# == wrong: only scopes
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if not failed and magic.startswith("%%mw_scope"):
            found += ["with strategy.scope():", *(f"    {line}" for line in lines)]
    return found


# == wrong: indented by two
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if failed or "--no-export" in magic:
            continue
        if magic.startswith("%%mw_scope"):
            found.append("with strategy.scope():")
            lines = [f"  {line}" for line in lines]
        found.extend(lines)
    return found


# == wrong: what builds a model is in the scope
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if failed or "--no-export" in magic:
            continue
        if any("build" in line or "Variable" in line for line in lines):
            found.append("with strategy.scope():")
            lines = ["    " + line for line in lines]
        found.extend(lines)
    return found


# == wrong: the own indentation of a line is lost
def exported_lines(cells):
    found = []
    for magic, lines, failed in cells:
        if failed or "--no-export" in magic:
            continue
        if magic.startswith("%%mw_scope"):
            found.append("with strategy.scope():")
            lines = ["    " + line.strip() for line in lines]
        found.extend(lines)
    return found

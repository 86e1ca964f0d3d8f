"""22-24: the chief is not alone."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_24.py --chief"


def fault(seen: Seen) -> str:
    tasks = ("chief:0", "worker:0", "worker:1")
    wanted = sum(values[0] for values in seen.all("own", tasks))
    if not alike([values[-1] for values in seen.all("result", tasks)], [wanted] * 3):
        return f"Not all three tasks noted the sum of their numbers, {wanted}."
    writers = {task for task in tasks if "written" in seen.noted[task]}
    try:
        text = (seen.folder / f"result-{seen.run.spec.id}.txt").read_text()
    except OSError:
        return "Nobody wrote the file."
    lines = [line.split() for line in text.splitlines() if line.split()]
    names = sorted(writers.union(line[0] for line in lines))
    if names not in ([], ["chief:0"]):
        return f"{' and '.join(names)} wrote the file."
    if len(lines) != 1:
        return f"The file has {len(lines)} lines, not 1."
    if not writers:
        return "The chief did not note `written`: keep the lines with `note`."
    written = float(lines[0][-1])
    return "" if alike(written, wanted) else f"The chief wrote {written}; the sum is {wanted}."


check = cluster(__file__, fault, "All three tasks have the sum, and only the chief wrote it.")

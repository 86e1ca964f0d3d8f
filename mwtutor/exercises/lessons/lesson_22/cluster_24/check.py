"""22-24: the chief is not alone."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_24.py --chief"


def fault(seen: Seen) -> str:
    tasks = ("chief:0", "worker:0", "worker:1")
    wanted = sum(values[0] for values in seen.all("own", tasks))
    if not alike([values[-1] for values in seen.all("result", tasks)], [wanted] * 3):
        return f"Not all three tasks noted the sum of their numbers, {wanted}."
    try:
        text = (seen.folder / f"result-{seen.run.spec.id}.txt").read_text()
    except OSError:
        return "Nobody wrote the file."
    writers = [line.split()[0] for line in text.splitlines() if line.split()]
    return "" if writers == ["chief:0"] else f"{' and '.join(writers)} wrote the file."


check = cluster(__file__, fault, "All three tasks have the sum, and only the chief wrote it.")

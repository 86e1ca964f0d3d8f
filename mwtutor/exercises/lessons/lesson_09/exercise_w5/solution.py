def resume(files):
    numbers = [int(name.split("-")[1].split(".")[0]) for name in files]
    last = max(numbers, default=0)
    return (f"kept-{last}.weights.h5" if files else None), last

def cut(costs, stages):
    # best[n]: the first n layers, in as many stages as so far: the slowest stage, and the cut
    best = {n: (sum(costs[:n]), [n]) for n in range(1, len(costs) + 1)}
    for stage in range(1, stages):
        best = {
            n: min(
                (max(best[k][0], sum(costs[k:n])), [*best[k][1], n - k]) for k in range(stage, n)
            )
            for n in range(stage + 1, len(costs) + 1)
        }
    return best[len(costs)][1]

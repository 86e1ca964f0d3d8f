# misconception: the best cut into two, done again and again, is the best cut into more
# says: cut into two again


def cut(costs, stages):
    if stages == 1:
        return [len(costs)]
    left, right = stages // 2, stages - stages // 2

    def slower(at):
        return max(sum(costs[:at]) / left, sum(costs[at:]) / right)

    at = min(range(left, len(costs) - right + 1), key=slower)
    return cut(costs[:at], left) + cut(costs[at:], right)

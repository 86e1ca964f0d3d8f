# misconception: an exchange begins at the average time
# says: In your answer, the exchange begins at the average time, before all are ready.


def seconds_waited(ready):
    return [
        sum(max(0.0, sum(times) / len(times) - times[at]) for times in ready)
        for at in range(len(ready[0]))
    ]

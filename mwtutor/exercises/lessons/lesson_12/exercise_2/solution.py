# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(each)}

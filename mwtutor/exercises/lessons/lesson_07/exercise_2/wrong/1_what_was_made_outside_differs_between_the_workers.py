# misconception: what was made outside differs between the workers
# says: nothing keeps them equal

# %%mw
def made_outside(variables):
    return [
        name
        for name, variable in variables.items()
        if len(
            set(
                strategy.gather(tf.reshape(variable.read_value(), [1, -1])[:, :1], axis=0)
                .numpy()
                .ravel()
                .tolist()
            )
        )
        > 1
    ]

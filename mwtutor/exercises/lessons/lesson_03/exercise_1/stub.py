global_batch = None
steps_per_epoch = None

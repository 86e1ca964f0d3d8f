global_batch = 3 * 32
steps_per_epoch = 1344 // global_batch

# misconception: the steps are shared out among the workers
# says: were never seen

global_batch = 96
steps_per_epoch = 1344 // 96 // 3

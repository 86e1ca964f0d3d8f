# misconception: the workers share the steps
# says: were never seen

global_batch = 96
steps_per_epoch = 1344 // 96 // 3

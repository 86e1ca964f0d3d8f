# misconception: the number of steps is what it was on one worker
# says: times in the epoch

global_batch = 96
steps_per_epoch = 1344 // 32

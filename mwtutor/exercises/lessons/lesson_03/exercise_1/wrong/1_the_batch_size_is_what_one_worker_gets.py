# misconception: the batch size is what one worker gets
# says: is shared out among them

global_batch = 32
steps_per_epoch = 1344 // 32

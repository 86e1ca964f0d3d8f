# misconception: the batch size is what one worker gets
# says: the batch of the dataset is divided among them

global_batch = 32
steps_per_epoch = 1344 // 32

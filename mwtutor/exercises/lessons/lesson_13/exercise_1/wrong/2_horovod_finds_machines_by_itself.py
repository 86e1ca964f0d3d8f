# misconception: Horovod finds the machines by itself
# says: No machine is named

line = "horovodrun -np 6 python train.py"

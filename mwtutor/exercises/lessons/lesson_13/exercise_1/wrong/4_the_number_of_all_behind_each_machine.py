# misconception: the number after a machine is that of all processes
# says: a local rank without a GPU

line = "mpirun -np 6 -H m1:6,m2:6,m3:6 python train.py"

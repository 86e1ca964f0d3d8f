# misconception: a machine takes as many processes as it has GPUs
# says: slots for 3 processes

line = "mpirun -np 6 -H m1,m2,m3 python train.py"

# misconception: -np counts the processes of one machine
# says: It starts 2 processes

line = "horovodrun -np 2 -H m1:2,m2:2,m3:2 python train.py"

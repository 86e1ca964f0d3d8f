line = "horovodrun -np 6 -H m1:2,m2:2,m3:2 python train.py"

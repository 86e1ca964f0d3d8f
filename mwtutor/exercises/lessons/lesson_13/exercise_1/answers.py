# == right: mpirun, with -H first
line = "mpirun -H m1:2,m2:2,m3:2 -np 6 python train.py"


# == right: machines in another order, and --hosts
line = "horovodrun -np 6 --hosts m3:2,m1:2,m2:2 python train.py"


# == right: --num-proc
line = "horovodrun --num-proc 6 -H m1:2,m2:2,m3:2 python train.py"


# == right: mpirun, -n and --host
line = "mpirun -n 6 --host m1:2,m2:2,m3:2 python train.py"


# == wrong: a process for each machine
line = "horovodrun -np 3 -H m1:2,m2:2,m3:2 python train.py"


# == wrong: machines without a number
# says: needs a number of slots with each machine; m1 has none
line = "horovodrun -np 6 -H m1,m2,m3 python train.py"


# == wrong: a machine is missing
line = "horovodrun -np 6 -H m1:2,m2:2 python train.py"


# == wrong: one process
line = "python train.py"


# == wrong: options after the program
line = "horovodrun -np 6 python train.py -H m1:2,m2:2,m3:2"


# == wrong: spaces between the machines
line = "horovodrun -np 6 -H m1:2, m2:2, m3:2 python train.py"


# == wrong: the program without python
line = "horovodrun -np 6 -H m1:2,m2:2,m3:2 train.py"


# == wrong: three on each machine
line = "mpirun -np 6 -H m1:3,m2:3,m3:3 python train.py"


# == wrong: horovodrun with an option of mpirun
# says: `horovodrun` has no option `-x`
line = "horovodrun -np 6 -H m1:2,m2:2,m3:2 -x PATH python train.py"


# == right: mpirun with the same option
line = "mpirun -np 6 -H m1:2,m2:2,m3:2 -x PATH -bind-to none -map-by slot python train.py"


# == right: a -H for each machine
line = "mpirun -np 6 -H m1:2 -H m2:2 -H m3:2 python train.py"


# == wrong: a -H for each machine, of which horovodrun uses the last
# says: The machines it names are m3.
line = "horovodrun -np 6 -H m1:2 -H m2:2 -H m3:2 python train.py"


# == wrong: horovodrun with mpirun's --host
# says: `horovodrun` has no option `--host`
line = "horovodrun -np 6 --host m1:2,m2:2,m3:2 python train.py"


# == wrong: horovodrun with mpirun's --np
# says: `horovodrun` has no option `--np`
line = "horovodrun --np 6 -H m1:2,m2:2,m3:2 python train.py"


# == wrong: mpirun with horovodrun's --hosts
# says: `mpirun` has no option `--hosts`
line = "mpirun -np 6 --hosts m1:2,m2:2,m3:2 python train.py"


# == wrong: mpirun with horovodrun's --num-proc
# says: `mpirun` has no option `--num-proc`
line = "mpirun --num-proc=6 -H m1:2,m2:2,m3:2 python train.py"


# == right: horovodrun, abbreviated
line = "horovodrun -n 6 -H m1:2,m2:2,m3:2 python train.py"


# == wrong: horovodrun executes the two dashes
# says: `horovodrun` has no option `--`
line = "horovodrun -np 6 -H m1:2,m2:2,m3:2 -- python train.py"

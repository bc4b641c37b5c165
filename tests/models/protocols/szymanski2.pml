// what: Szymanski's mutual exclusion for two processes
byte flag[2], in;
active [2] proctype P()
{
	byte other = 1 - _pid;
	do
	:: flag[_pid] = 1;
		flag[other] < 3;
		flag[_pid] = 3;
		if
		:: flag[other] == 1 -> flag[_pid] = 2; flag[other] == 4
		:: flag[other] != 1
		fi;
		flag[_pid] = 4;
		if :: _pid == 1 -> flag[0] < 2 :: _pid == 0 fi;
		in++;
		assert(in == 1);
		in--;
		if :: _pid == 0 -> flag[1] < 2 || flag[1] > 3 :: _pid == 1 fi;
		flag[_pid] = 0
	od
}

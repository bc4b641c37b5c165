// what: Peterson's mutual exclusion for two processes
bit flag[2], turn;
byte in;
active [2] proctype P()
{
	do
	:: flag[_pid] = 1;
		turn = 1 - _pid;
		flag[1 - _pid] == 0 || turn == _pid;
		in++;
		assert(in == 1);
		in--;
		flag[_pid] = 0
	od
}

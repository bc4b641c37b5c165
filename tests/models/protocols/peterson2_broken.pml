// what: Peterson's algorithm with the two entry assignments swapped lets both in
bit flag[2], turn;
byte in;
active [2] proctype P()
{
	do
	:: turn = 1 - _pid;
		flag[_pid] = 1;
		flag[1 - _pid] == 0 || turn == _pid;
		in++;
		assert(in == 1);
		in--;
		flag[_pid] = 0
	od
}

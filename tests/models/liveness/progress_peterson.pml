// what: Peterson: without fairness one process may be shut out, the other one makes progress
// run: -l
bit flag[2], turn;
active [2] proctype P()
{
	do
	:: flag[_pid] = 1; turn = 1 - _pid;
		flag[1 - _pid] == 0 || turn == _pid;
progress:	skip;
		flag[_pid] = 0
	od
}

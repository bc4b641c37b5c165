// what: remote references to labels in a formula
// run: -a safe
// run: -a live
bit flag[2], turn;
active [2] proctype P()
{
	do
	:: flag[_pid] = 1; turn = 1 - _pid;
		flag[1 - _pid] == 0 || turn == _pid;
cs:		skip;
		flag[_pid] = 0
	od
}
ltl safe { [] !(P[0]@cs && P[1]@cs) }
ltl live { []<> P[0]@cs }

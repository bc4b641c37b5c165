// what: with weak fairness Peterson lets each process in that wants
// run: -a p
// run: -a -f p
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
ltl p { [] (flag[0] -> <> P[0]@cs) }

// what: non-progress under weak fairness with three processes
// run: -l
// run: -l -f
byte turn;
active [3] proctype P()
{
	do
	:: turn == _pid -> progress: turn = (turn + 1) % 3
	:: turn != _pid -> skip
	od
}

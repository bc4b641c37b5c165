// what: Dekker's mutual exclusion
bit want[2], turn;
byte in;
active [2] proctype P()
{
	do
	:: want[_pid] = 1;
		do
		:: !want[1 - _pid] -> break
		:: want[1 - _pid] ->
			if
			:: turn == _pid
			:: turn != _pid ->
				want[_pid] = 0;
				turn == _pid;
				want[_pid] = 1
			fi
		od;
		in++;
		assert(in == 1);
		in--;
		turn = 1 - _pid;
		want[_pid] = 0
	od
}

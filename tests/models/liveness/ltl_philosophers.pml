// what: philosophers: never two eat together, and always again one eats
// run: -a safe
// run: -a live
#define N 3
bit fork[N];
byte eats;
active [N] proctype Phil()
{
	byte a = (_pid == N - 1 -> 0 : _pid);
	byte b = (_pid == N - 1 -> N - 1 : _pid + 1);
	do
	:: atomic { !fork[a] -> fork[a] = 1 };
		atomic { !fork[b] -> fork[b] = 1 };
		eats++;
		eats--;
		fork[b] = 0;
		fork[a] = 0
	od
}
ltl safe { [] (eats <= 1) }
ltl live { []<> (eats == 1) }

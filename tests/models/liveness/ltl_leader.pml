// what: a ring of three elects a leader in the end
// run: -a p
// run: -a q
#define N 3
chan c[N] = [3] of { byte };
byte leaders;
active [N] proctype Node()
{
	byte mine = (_pid * 2 + 1) % N, m;
	c[(_pid + 1) % N]!mine;
	do
	:: c[_pid]?m ->
		if
		:: m > mine -> c[(_pid + 1) % N]!m
		:: m < mine
		:: m == mine -> leaders++
		fi
	od
}
ltl p { <> (leaders == 1) }
ltl q { [] (leaders <= 1) }

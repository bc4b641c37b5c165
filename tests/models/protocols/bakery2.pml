// what: Lamport's bakery for two processes, tickets kept small
#define MAX 4
byte ticket[2];
bit choosing[2];
byte in;
active [2] proctype P()
{
	byte other = 1 - _pid, t;
	do
	:: choosing[_pid] = 1;
		t = ticket[other] + 1;
end1:		t <= MAX;
		ticket[_pid] = t;
		choosing[_pid] = 0;
end2:		!choosing[other];
end3:		(ticket[other] == 0 || ticket[_pid] < ticket[other] ||
			ticket[_pid] == ticket[other] && _pid < other);
		in++;
		assert(in == 1);
		in--;
		ticket[_pid] = 0
	od
}

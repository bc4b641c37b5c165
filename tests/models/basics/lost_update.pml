// what: the lost update: two processes read, then write; the sum can be 1
byte n;
byte done;

active [2] proctype P()
{
	byte mine;
	mine = n;
	n = mine + 1;
	done++;
	done == 2 -> assert(n == 2)
}

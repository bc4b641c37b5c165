// what: a small Needham-Schroeder: the intruder makes B believe that it talks with A
mtype = { A, B, E, Na, Nb, msg1, msg2, msg3 };
chan net = [0] of { mtype, mtype, mtype, mtype, mtype };
mtype pa, pb;
active proctype Alice()
{
	mtype n;
	if :: pa = B :: pa = E fi;
end1:	net!msg1, pa, Na, A, pa;
end2:	net?msg2, A, eval(Na), n, _;
end3:	net!msg3, pa, n, n, pa
}
active proctype Bob()
{
	mtype n;
end1:	net?msg1, B, n, pb, _;
end2:	net!msg2, pb, n, Nb, pb;
end3:	net?msg3, B, Nb, _, _;
	assert(pb != A || pa == B)
}
active proctype Eve()
{
	mtype k, x, y;
	bit knowsA, knowsB;
end:	do
	:: net?k, _, x, y, E ->
		if :: x == Na || y == Na -> knowsA = 1 :: else fi;
		if :: x == Nb || y == Nb -> knowsB = 1 :: else fi
	:: net?msg2, A, x, y, A ->
end1:		net!msg2, A, x, y, A
	:: knowsA -> end2: net!msg1, B, Na, A, B
	:: knowsB -> end3: net!msg3, B, Nb, Nb, B
	od
}

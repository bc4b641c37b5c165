// what: named mtype subtypes are numbered on their own
mtype = { x, y };
mtype:fruit = { apple, pear, plum };
mtype:size = { small, big };
mtype:fruit f = plum;
mtype:size s = big;
chan q = [1] of { mtype:fruit, mtype:size };
active proctype P()
{
	assert(apple == 3 && pear == 2 && plum == 1 && small == 2 && big == 1);
	assert(x == 2 && y == 1);
	q!f, s;
	f = apple;
	q?f, s;
	assert(f == plum && s == big)
}

// what: a channel as a field of a structure
typedef L { chan c = [1] of { byte }; byte id };
L l[2];
byte n;
active proctype P()
{
	l[0].id = 1; l[1].id = 2;
	l[0].c!l[1].id;
	assert(len(l[0].c) == 1 && len(l[1].c) == 0);
	l[0].c?n;
	assert(n == 2)
}

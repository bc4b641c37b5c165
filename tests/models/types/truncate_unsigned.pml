// what: unsigned x : n keeps n bits and is never negative
unsigned u : 3;
unsigned v : 5 = 31;
unsigned w : 12;
active proctype P()
{
	unsigned l : 1;
	u = 7; u++; assert(u == 0);
	u = -1; assert(u == 7);
	v++; assert(v == 0);
	w = 4097; assert(w == 1);
	l = 3; assert(l == 1);
	w = u * 600; assert(w == 104)
}

// what: an assignment to a short keeps 16 bits with sign
short s;
active proctype P()
{
	short l;
	s = 32768; assert(s == -32768);
	s = 65535; assert(s == -1);
	s = -32769; assert(s == 32767);
	l = 65536 + 5; assert(l == 5);
	l = s * 2; assert(l == -2)
}

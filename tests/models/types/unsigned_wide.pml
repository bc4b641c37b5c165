// what: unsigned with 16 and 31 bits
unsigned a : 16 = 65535;
unsigned b : 31;
active proctype P()
{
	a++; assert(a == 0);
	a--; assert(a == 65535);
	b--; assert(b == 2147483647);
	b++; assert(b == 0)
}

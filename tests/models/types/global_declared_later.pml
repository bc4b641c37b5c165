// what: a local may have the name of a global that is declared behind the proctype
active proctype P()
{
	byte n = 3;
	n++;
	assert(n == 4)
}
byte n = 9;
active proctype Q() { assert(n == 9); n = 1 }

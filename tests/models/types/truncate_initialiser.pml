// what: an initialiser is truncated like an assignment
byte b = 300;
bit t = 2;
short s = 40000;
unsigned u : 2 = 7;
active proctype P()
{
	byte l = 257;
	assert(b == 44 && t == 0 && s == -25536 && u == 3 && l == 1)
}

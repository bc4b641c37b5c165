// what: an assignment to a byte keeps the value modulo 256
byte b;
active proctype P()
{
	byte l = 250;
	b = 256; assert(b == 0);
	b = 1027; assert(b == 3);
	b = -1; assert(b == 255);
	b = -257; assert(b == 255);
	l = l + 10; assert(l == 4);
	b = l - 5; assert(b == 255)
}

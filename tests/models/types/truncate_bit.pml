// what: an assignment to a bit or bool keeps the lowest bit
bit b;
bool c;
active proctype P()
{
	bit l;
	b = 2; assert(b == 0);
	b = 3; assert(b == 1);
	c = -1; assert(c == 1);
	c = 256; assert(c == 0);
	l = 5; assert(l == 1);
	c = (7 > 3); assert(c == true)
}

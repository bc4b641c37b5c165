// what: a goto from one atomic sequence into another one keeps control
byte n;
active proctype P()
{
	atomic { n = 1; goto there };
	skip;
	atomic { n = 7;
there:		n = 2; n = 0 }
}
active proctype Q() { assert(n == 0) }

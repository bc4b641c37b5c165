// what: two blocked atomic sequences: either may go on, and then keeps control
byte go, n, in;
active [2] proctype P()
{
	atomic { n++; go == 1; in++; assert(in == 1); in--; n-- }
}
active proctype Q() { n > 0; go = 1 }

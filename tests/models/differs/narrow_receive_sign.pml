// what: -2 received into a byte, then undone
// expect: holds - 8 8 0; Spin undoes the receive from the byte, leaving 254
chan q = [1] of { short };
byte b;
short w;
active proctype P()
{
	q!-2;
	if
	:: q?b; assert(b == 254)
	:: q?w; assert(w == -2)
	fi
}

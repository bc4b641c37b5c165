// what: a message that was received into a narrower variable is whole again for another way through the choice
// expect: holds - 7 7 0; with a short b Spin counts the same states and finds no error: it undoes the receive from the bit, leaving 1
chan q = [1] of { short };
bit b;
short w;
active proctype P()
{
	q!1027;
	if
	:: q?b
	:: q?w; assert(w == 1027)
	fi
}

// what: q?a,eval(a) matches with the old value of a, and the message is whole again when it is undone
// expect: holds - 8 8 0; a tree of two branches behind one send; Spin puts [3,3] back
chan q = [2] of { byte, byte };
byte a = 9, b, c;
active proctype P()
{
	q!3, 9;
	if
	:: q?a, eval(a) -> assert(a == 3)
	:: q?b, c -> assert(b == 3 && c == 9)
	fi
}

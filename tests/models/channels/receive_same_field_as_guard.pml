// what: an if over several receives takes each that fits the first message
chan q = [2] of { byte };
byte n, r;
active proctype P()
{
	q!3; q!4;
	if
	:: q?3 -> r = 1
	:: q?n -> r = 2
	:: q?4 -> r = 3
	:: q??4 -> r = 4
	fi;
	assert(r == 1 || r == 2 && n == 3 || r == 4)
}

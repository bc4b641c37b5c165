// what: negative constants and constant expressions are matched
chan q = [3] of { short, byte };
byte a;
active proctype P()
{
	q!-1, 4;
	if
	:: q?1, a -> assert(false)
	:: q?-1, a -> assert(a == 4)
	fi
}

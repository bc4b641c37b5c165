// what: eval() takes an expression, with the value before the receive
chan q = [1] of { byte, byte };
byte n = 3, m;
active proctype P()
{
	q!4, 9;
	if
	:: q?eval(n), m -> assert(false)
	:: q?eval(n + 1), n -> assert(n == 9)
	fi
}

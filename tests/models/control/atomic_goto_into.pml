// what: a goto into an atomic sequence makes what follows atomic
byte n, m;
active proctype P()
{
	if
	:: goto in
	:: skip
	fi;
	atomic { n = 1; n = 2;
in:		m = 1; m = 2; m = 0 };
	skip
}
active proctype Q() { assert(m == 0); assert(n != 1) }

// what: skip as the first statement of an option is a step, and is always executable
byte n, r;
active proctype P()
{
	if
	:: skip; n > 0; r = 1
	:: n == 0 -> r = 2
	:: true; r = 3
	fi
}
active proctype Q() { n = 1 }

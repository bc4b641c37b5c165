// what: the same lock without atomic is broken
bit lock;
byte in;
active [2] proctype P()
{
	do
	:: !lock; lock = 1;
		in++;
		assert(in == 1);
		in--;
		lock = 0
	od
}

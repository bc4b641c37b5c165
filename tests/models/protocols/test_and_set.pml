// what: a lock with an atomic test-and-set, four processes
bit lock;
byte in;
active [4] proctype P()
{
	do
	:: atomic { !lock -> lock = 1 };
		in++;
		assert(in == 1);
		in--;
		lock = 0
	od
}

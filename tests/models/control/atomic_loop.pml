// what: a loop inside an atomic sequence, left by break as its last statement
byte n;
active proctype P()
{
	atomic { do :: n < 5 -> n++ :: else -> break od };
	assert(n == 5)
}
active proctype Q() { assert(n == 0 || n == 5) }

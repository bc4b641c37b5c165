// what: a loop in a d_step is one step, whatever its length
byte i, s;
active proctype P()
{
	d_step { i = 0; do :: i < 10 -> s = s + i; i++ :: else -> break od; i = 0 };
	assert(s == 45)
}

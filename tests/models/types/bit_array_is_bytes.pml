// what: in Spin's verifier the elements of an array of bit or bool are whole bytes, not truncated to one bit
// note: the language says one bit; the verifier stores a byte and keeps 7, which its simulator doesn't
bit b[3];
bool c[2];
active proctype P()
{
	bit l[2];
	b[1] = 7;
	assert(b[0] == 0 && b[1] == 7 && b[2] == 0);
	b[1] = 258;
	assert(b[1] == 2);
	c[0] = -1;
	assert(c[0] == 255);
	l[1] = 4;
	assert(l[1] == 4)
}

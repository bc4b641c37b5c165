// what: an argument of run is truncated by the type of the parameter
byte ok;
proctype P(byte b; bit t; short s)
{
	assert(b == 1 && t == 0 && s == -1);
	ok++
}
init { run P(257, 4, 65535); ok == 1 }

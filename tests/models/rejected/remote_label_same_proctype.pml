// what: a remote reference to a label of the same proctype
byte in;
active [2] proctype P()
{
	skip;
cs:	assert(!(P[0]@cs && P[1]@cs) || in < 2);
	in++
}

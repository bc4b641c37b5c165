// what: a counting semaphore made of a channel with two tokens
chan sem = [2] of { bit };
byte in;
active [4] proctype P()
{
	if :: _pid < 2 -> sem!0 :: else fi;
	do
	:: sem?0 -> in++; assert(in <= 2); in--; sem!0
	od
}

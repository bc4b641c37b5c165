// what: the alternating bit protocol over lines that lose messages
mtype = { msg, ack };
chan down = [1] of { mtype, byte, bit };
chan up = [1] of { mtype, bit };
active proctype Sender()
{
	bit s, r;
	byte d;
	do
	:: down!msg, d, s
	:: up?ack, r ->
		if
		:: r == s -> s = 1 - s; d = (d + 1) % 3
		:: else
		fi
	:: up?ack, _
	od
}
active proctype Receiver()
{
	bit want, r;
	byte d, next;
	do
	:: down?msg, d, r ->
		if
		:: r == want -> assert(d == next); next = (next + 1) % 3; want = 1 - want
		:: else
		fi;
		up!ack, r
	:: down?msg, _, _
	od
}

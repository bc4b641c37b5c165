// what: without looking at the bit the receiver takes a repeated message for a new one
mtype = { msg, ack };
chan down = [1] of { mtype, byte, bit };
chan up = [1] of { mtype, bit };
active proctype Sender()
{
	bit s, r;
	byte d;
	do
	:: down!msg, d, s;
		if
		:: up?ack, r -> if :: r == s -> s = 1 - s; d = (d + 1) % 3 :: else fi
		:: timeout
		fi
	od
}
active proctype Receiver()
{
	bit r;
	byte d, next;
	do
	:: down?msg, d, r -> assert(d == next); next = (next + 1) % 3;
		if :: up!ack, r :: skip fi
	:: down?msg, _, _
	od
}

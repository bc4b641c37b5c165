// what: go-back-n with window 2 and sequence numbers modulo 3 over a line that loses messages
#define M 3
chan data = [2] of { byte, byte };
chan acks = [2] of { byte };
active proctype Sender()
{
	byte base, next, ack;
	do
	:: (next + M - base) % M < 2 -> data!next, next; next = (next + 1) % M
	:: acks?ack -> if :: (ack + M - base) % M <= (next + M - base) % M -> base = ack :: else fi
	:: timeout -> next = base
	od
}
active proctype Receiver()
{
	byte want, seq, v;
	do
	:: data?seq, v ->
		if
		:: seq == want -> assert(v == want); want = (want + 1) % M
		:: else
		fi;
		if :: nfull(acks) -> acks!want :: full(acks) fi
	:: data?_, _
	od
}

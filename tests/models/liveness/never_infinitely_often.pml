// what: the claim for a response property by hand: a request that is never answered
// run: -a
bit req, ack, idle;
active proctype Client() { do :: !req && !ack -> req = 1 :: ack -> req = 0; ack = 0 od }
active proctype Server() { do :: req && !ack -> ack = 1 :: idle = 1 - idle od }
never {
	do
	:: req && !ack -> break
	:: true
	od;
accept:	do
	:: !ack
	od
}

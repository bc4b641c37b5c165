// what: _last in a never claim: one process is never scheduled twice in a row? it is
// run: -a
byte n;
active [2] proctype P() { do :: n = 1 - n od }
never {
	do
	:: _last == 0 && n == 1 -> goto second
	:: true
	od;
second:	do
	:: _last == 0 && n == 0 -> break
	od
}

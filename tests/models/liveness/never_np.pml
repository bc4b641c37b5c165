// what: np_ in a never claim written by hand finds a non-progress cycle
// run: -a
byte n;
active proctype P() { do :: n = 1 :: n = 2; progress: n = 3 od }
never {
	do
	:: true
	:: np_ -> goto accept
	od;
accept:	do
	:: np_
	od
}

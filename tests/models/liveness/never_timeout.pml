// what: a claim that reports a state without successors that is not wanted
// run: -a
byte n;
active proctype P() { if :: n = 1 :: n = 2; n == 9 fi; n = 5 }
never {
	do
	:: n != 2
	:: n == 2 -> goto accept
	od;
accept:	do
	:: n == 2
	od
}

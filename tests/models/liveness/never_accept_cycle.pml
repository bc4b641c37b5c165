// what: a never claim with an accept label that is passed for ever
// run: -a
bit b;
active proctype P() { do :: b = 1 - b od }
never {
S0:	do
	:: b -> goto accept
	:: true
	od;
accept:	do
	:: true
	od
}

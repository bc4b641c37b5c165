// what: an accept state that can be passed only once is no violation
// run: -a
byte n;
active proctype P() { do :: n < 3 -> n++ :: n == 3 -> n = 3 od }
never {
S0:	do
	:: n == 1 -> goto accept
	:: n != 1
	od;
accept:	n == 1 -> goto S1;
S1:	do
	:: n > 1
	od
}

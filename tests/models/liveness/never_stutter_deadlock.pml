// what: the claim goes on stuttering in a deadlock
// run: -a
byte n;
active proctype P() { n = 1; n == 5 }
never {
	do
	:: n == 0
	:: n == 1 -> goto accept
	od;
accept:	do
	:: n == 1
	od
}

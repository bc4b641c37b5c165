// what: the claim goes on stuttering when the system has ended
// run: -a
byte n;
active proctype P() { n = 1 }
never {
accept:	do
	:: n < 2
	od
}

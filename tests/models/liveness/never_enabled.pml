// what: enabled(pid) in a never claim: a process that is enabled for ever and never runs
// run: -a
bit a, b;
active proctype P() { do :: a = 1 - a od }
active proctype Q() { do :: a -> b = 1 - b od }
never {
	do
	:: true
	:: goto accept
	od;
accept:	do
	:: enabled(0) && !b
	od
}

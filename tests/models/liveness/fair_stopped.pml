// what: a system that has stopped is weakly fair; the claim goes round alone, passing its accept state
// run: -a -f; expect: violated acceptance-cycle - -; Spin says holds with -f (and violated without), but no process is left that could move
byte n;
active proctype P() { n = 1 }
never {
S0:	if
	:: true -> goto accept_S1
	fi;
accept_S1:	if
	:: true -> goto S0
	fi
}

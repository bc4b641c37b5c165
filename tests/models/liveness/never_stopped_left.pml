// what: where the process has ended, x == y, so the claim is in S2 for ever once it is there; S2 does not accept
// run: -a; expect: holds; Spin reports an acceptance cycle through accept_S1
byte x, y;
active proctype P() { x = 2; x = 0 }
never {
accept_S0:
	if :: true -> goto S2 :: true -> goto S3 :: true -> goto accept_S1 fi;
accept_S1:
	if :: x == y -> goto S2 fi;
S2:
	if :: x == y -> goto S2 :: else -> goto S3 fi;
S3:
	if :: y == 0 -> skip; goto accept_S1 fi
}

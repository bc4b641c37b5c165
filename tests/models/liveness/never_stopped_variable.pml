// what: a claim with a variable that goes on alone after a choice: one step at a time, each state counts
// run: -a; expect: holds - 11 15; Spin counts 9 and 13: where the system has stopped, it stores every other state; 2 states, then 3 values at each of 3 locations of the claim
byte x, y;
byte k;
active proctype P() { (x != 2); x = 2; (x == 1) }
never {
S0: if :: y == 0 && k != 1 -> k = (k + y) % 3; goto S1 fi;
S1: if :: true -> k = (k + 1) % 3; goto S1 :: true -> k = (k + y) % 3; goto S1 fi;
}

// what: a claim that goes on alone from the start; each of its four states is one of the product
// run: -a; expect: holds - 4 5; Spin counts 3 and 4: where the system has stopped, it stores every other state of the claim
byte x;
active proctype P() { x == 1 }
never {
S0:	do :: x == 0 -> goto S1 od;
S1:	do :: x == 0 -> goto S2 od;
S2:	do :: x == 0 -> goto S3 od;
S3:	do :: x == 0 od
}

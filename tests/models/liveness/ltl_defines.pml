// what: propositions behind #define
// run: -a p
byte in;
#define both (in == 2)
#define one  (in == 1)
active [2] proctype P() { do :: atomic { in == 0 -> in++ }; in-- od }
ltl p { [] !both && []<> one }

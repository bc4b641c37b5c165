// what: fairness among four processes that count round
// run: -a p
// run: -a -f p
byte n[4];
active [4] proctype P() { do :: n[_pid] = (n[_pid] + 1) % 2 od }
ltl p { []<> (n[0] == 1) && []<> (n[3] == 1) }

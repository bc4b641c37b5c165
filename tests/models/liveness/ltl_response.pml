// what: every request is answered
// run: -a p
bit req, ack;
active proctype C() { do :: req = 1; ack; req = 0; ack = 0 od }
active proctype S() { do :: req && !ack -> ack = 1 od }
ltl p { [] (req -> <> ack) }

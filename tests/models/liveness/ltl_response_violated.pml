// what: a server that may ignore a request for ever
// run: -a p
bit req, ack, idle;
active proctype C() { do :: req = 1; ack; req = 0; ack = 0 od }
active proctype S() { do :: req && !ack -> ack = 1 :: idle = 1 - idle od }
ltl p { [] (req -> <> ack) }

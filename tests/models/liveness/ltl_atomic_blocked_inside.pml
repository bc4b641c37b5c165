// what: an atomic sequence blocks in the middle, at a rendezvous, for ever: only while the receiver is elsewhere
// run: -a p
chan r = [0] of { byte };
active proctype sender() {
S:  if
    :: atomic { true; r!0 }; goto S
    fi
}
active proctype receiver() {
    bit l;
    do
    :: r?_; l = 1; l = 0
    od
}
active proctype other() { bit b; do :: b = 1 - b od }
ltl p { [] <> sender@S }

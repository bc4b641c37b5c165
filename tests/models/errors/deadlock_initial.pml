// what: the initial state is already a deadlock
active proctype P() { false }

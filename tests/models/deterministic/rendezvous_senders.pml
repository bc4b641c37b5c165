// what: receives of a D_proctype from two senders: each offer is a state of its own
chan a = [0] of {byte}; chan b = [0] of {byte}; byte x;
active D_proctype P() { if :: a?x :: b?x fi }
active proctype Q() { a!1 }
active proctype R() { b!1 }

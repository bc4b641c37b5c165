// what: two processes that both want to send over rendezvous wait for ever
chan a = [0] of { byte };
chan b = [0] of { byte };
byte n;
active proctype P() { a!1; b?n }
active proctype Q() { b!1; a?n }

// what: a rendezvous needs constants and eval to fit
chan q = [0] of { byte, byte };
byte v = 4, n;
active proctype S() { if :: q!1, 5 :: q!4, 6 :: q!4, 7 fi }
active proctype R() { if :: q?eval(v), 6 -> n = 1 :: q?1, 9 -> n = 2 :: q?4, n -> assert(n == 6 || n == 7) fi }

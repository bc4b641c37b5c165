// what: a receive with a constant waits until the first message fits
mtype = { ping, pong };
chan q = [2] of { mtype };
byte n;
active proctype P() { q!ping; q!pong }
active proctype Pong() { q?pong; assert(n == 1) }
active proctype Ping() { atomic { q?ping; n = 1 } }

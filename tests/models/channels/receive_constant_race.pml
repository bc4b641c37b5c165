// what: the receiver of a second message can overtake the one that got the first, so the assertion can fail
mtype = { ping, pong };
chan q = [2] of { mtype };
byte n;
active proctype P() { q!ping; q!pong }
active proctype Pong() { q?pong; n = 1 }
active proctype Ping() { q?ping; assert(n == 0) }

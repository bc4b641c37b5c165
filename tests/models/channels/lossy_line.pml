// what: a line that loses messages: the receiver gets a part of them, in order
chan in = [1] of { byte };
chan out = [1] of { byte };
active proctype S() { byte i; for (i : 1 .. 3) { in!i } }
active proctype Line() { byte n; end: do :: in?n -> if :: out!n :: skip fi od }
active proctype R() { byte n, last; end: do :: out?n -> assert(n > last); last = n od }

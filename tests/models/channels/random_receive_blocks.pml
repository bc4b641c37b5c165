// what: a random receive waits until a message that fits arrives
chan q = [3] of { byte };
bit late;
active proctype R() { q??5; assert(late) }
active proctype S() { q!1; q!2; late = 1; q!5 }

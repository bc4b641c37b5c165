// what: eval(_pid) picks out the messages for this process
chan q = [2] of { byte, byte };
byte sum;
active [2] proctype R() { byte v; q?eval(_pid), v; assert(v == _pid + 10); sum = sum + v }
active proctype S() { q!1, 11; q!0, 10; sum == 21 }

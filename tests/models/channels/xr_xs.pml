// what: xr and xs are accepted and change nothing in a full search
chan q = [2] of { byte };
active proctype S() { xs q; q!1; q!2 }
active proctype R() { xr q; byte n; q?n; assert(n == 1); q?n; assert(n == 2) }

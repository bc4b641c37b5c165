// what: channels as parameters of processes
chan a = [1] of { byte };
chan b = [1] of { byte };
proctype Copy(chan in, out) { byte n; end: in?n; out!n + 1 }
init { byte n; atomic { run Copy(a, b); run Copy(b, a) }; a!1; a?n; assert(n == 2 || n == 3 || n == 1) }

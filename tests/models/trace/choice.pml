// what: a trace with a choice: either order of two channels
chan a = [1] of { byte };
chan b = [1] of { byte };
active proctype A() { a!1 }
active proctype B() { b!1 }
trace { if :: a!1; b!1 :: b!1; a!1 fi }

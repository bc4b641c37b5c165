// what: some ten thousand states of two processes that flood each other
chan a = [5] of { bit };
chan b = [5] of { bit };
active proctype P() { bit x; end: do :: a!0 :: a!1 :: b?x od }
active proctype Q() { bit x; end: do :: b!x :: a?x od }

// what: full() in an ltl formula
chan c = [2] of { byte };
active proctype S() { do :: c!1 :: c?_ od }
ltl q { []<> full(c) }

// what: between two private statements nobody receives, so that B may be passed over for ever
// run: -a -f p
chan c = [0] of { byte };
bit d;
active proctype A() { do :: c!1 od }
active proctype B() { c!2; d = 1 }
active proctype Q() { byte v, l; do :: c?v; l = 1 - l od }
ltl p { <> (d == 1) }

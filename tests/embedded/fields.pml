// now. and Pname-> reach variables of every type; values are cut as in Promela.
typedef Pair { byte low; short high[2] };
typedef Nest { Pair p[2]; byte flag };
Nest n;
Pair pairs[3];
bit b; bool ok; byte by; short sh; int in; unsigned u : 3;
mtype = { red, green };
mtype colour;
byte arr[4];

proctype Q(byte start; short step)
{
    int x;
    byte y[3];
    c_code {
        PQ->x = PQ->start + PQ->step;
        PQ->y[2] = 300;
        now.n.p[1].high[0] = -5;
        now.pairs[2].low = 257;
        now.pairs[0].high[1] = 7;
        now.n.flag = 9;
    };
    assert(x == 3 - 2 && y[2] == 44 && n.p[1].high[0] == -5 && pairs[2].low == 1);
    assert(pairs[0].high[1] == 7 && n.flag == 9 && n.p[0].high[0] == 0);
    c_code { now.b = 1; now.ok = 1; now.by = 255; now.sh = -3; now.in = -70000; now.u = 9; };
    assert(b && ok && by == 255 && sh == -3 && in == -70000 && u == 1);
    c_code { now.colour = 1; now.arr[PQ->_pid] = PQ->_pid; now.by++; };
    assert(colour == green && arr[1] == 1 && by == 0);
    do
    :: c_expr { PQ->x < 5 && now.arr[1] == 1 } -> x++
    :: else -> break
    od;
    skip;
    d_step { sh = 4; c_code { now.sh = now.sh * 2; }; in = sh };
    assert(in == 8)
}

init { run Q(3, -2) }

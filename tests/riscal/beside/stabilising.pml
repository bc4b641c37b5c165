#define K 5
byte x[4] = {0, 2, 1, 0};
#define p0 (x[0] == x[3])
#define p1 (x[1] != x[0])
#define p2 (x[2] != x[1])
#define p3 (x[3] != x[2])

active proctype ring()
{
end:
    do
    :: d_step { p0 -> x[0] = (x[0] + 1) % K }
    :: d_step { p1 -> x[1] = x[0] }
    :: d_step { p2 -> x[2] = x[1] }
    :: d_step { p3 -> x[3] = x[2] }
    od
}
ltl invariant1 { [] (p0 || p1 || p2 || p3) }
ltl ltl1 { <> [] (p0 + p1 + p2 + p3 == 1) }
ltl ltl2 { <> [] (p0 + p1 + p2 + p3 == 2) }

// Tracked memory outside Promela is part of the state.
c_decl { extern int level[3]; extern int twice(int); }
c_code { int level[3]; int twice(int v) { return 2 * v; } }
c_track "&level[0]" "sizeof(level)"
byte seen;
active [2] proctype P()
{
    do
    :: c_expr { level[1] < 3 } -> c_code { level[1]++; level[2] = twice(level[1]); }
    :: c_expr { level[1] > 0 } -> c_code { level[1]--; level[2] = 0; }
    :: atomic { c_expr { level[2] == 4 } -> seen = 1 }
    od
}

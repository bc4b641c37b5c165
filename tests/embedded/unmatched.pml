// Memory that is put back with its state, and not compared.
c_decl { int seen, copy; }
c_track "&seen" "sizeof(int)" "UnMatched"
c_track "&copy" "sizeof(int)"
byte n;
active [2] proctype P()
{
    byte k;
    do
    :: k < 2 -> k++; c_code { seen = now.n; now.n = (seen + 1) & 3; copy = seen & 1; }
    :: c_expr { PP->k == 2 && copy } -> break
    :: k == 2 -> c_code { seen++; copy = 1 - copy; }
    od
}

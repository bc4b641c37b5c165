// c_state: global, local and hidden.
c_decl { typedef struct Point { int x, y; } Point; }
c_state "Point at" "Global"
c_state "int steps" "Global" "2"
c_state "short mine" "Local Walker" "7"
c_state "int calls" "Hidden" "5"
proctype Walker(byte me)
{
    do
    :: c_expr { now.at.x < 3 } -> c_code { now.at.x++; PWalker->mine++; calls++; }
    :: c_expr { now.at.y < 2 } -> c_code { now.at.y++; PWalker->mine--; }
    :: c_expr { PWalker->mine > 9 } -> break
    od;
    c_code { now.steps += PWalker->me; }
}
init { atomic { run Walker(1); run Walker(4) } }

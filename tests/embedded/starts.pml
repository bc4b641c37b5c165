// Initial values of every scope: the last one first, locals when their process starts.
int g = 5;
c_state "int a" "Global" "now.g + 1"
c_state "int b" "Global" "now.a + 1"
c_state "int h" "Hidden" "7"
c_state "int w" "Local A" "now.a + now.g"
c_state "int q" "Local :init:" "now.g"
c_state "int v" "Local P" "now.g + PP->k + PP->m"
proctype P(byte k) { byte m = 2; assert(c_expr { PP->v == now.g + 5 }) }
active proctype A() { assert(c_expr { PA->w == 5 }); assert(c_expr { now.a == 6 && now.b == 1 && h == 7 }) }
init { assert(c_expr { Pinit->q == 5 }); g = 7; run P(3) }

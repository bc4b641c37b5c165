c_decl { typedef struct { int v; } T; }
c_state "T t" "Global" "{0}"
c_track "&k" "sizeof(int)" "UnMatched"
c_code { int k = 1; }
byte x;
active proctype P() { c_code [k > 0] { now.x = 1; if (k) { k++; } }
	do :: c_expr { now.x == 1 } -> break :: c_expr [k] { k } && x od }

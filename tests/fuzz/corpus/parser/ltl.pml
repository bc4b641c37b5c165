bool p, q; byte n;
ltl safe { [] (p -> <> q) && (n < 3 U n == 3) }
ltl { always ((p implies eventually q) || (p weakuntil q)) <-> ! (p V q) }
active proctype A() { byte v; cs: p = 1; v = 2 }
never bad { do :: A@cs && A[0]:v == 1 || np_ :: (_last == 0 && enabled(0)) od; accept: true }
%%
[] (p -> <> (q U n == 2)) && G F A@cs

// what: arrays, d_step and atomic in a claim
// run: -a; expect: violated acceptance-cycle - -; Spin's pan says so; spin -a itself complains about the local variable
byte x, a[2];
active proctype P() { do :: x = (x + 1) % 3 od }
never { byte n; byte h[3]; 
 S0: if :: x == 1 -> d_step { n++; h[n % 3] = 1 }; goto S1 :: x != 1 && n > 250 -> goto accept_S2 :: else -> goto S0 fi;
 S1: if :: h[2] == 0 -> goto S0 :: else -> atomic { h[1] = 0; h[2] = 0; goto S0 } fi;
 accept_S2: goto S0
}

mtype:fruit = { apple, pear } mtype:colour = { red }
typedef In { bit b[2]; chan c }
typedef In2 { short s = -3; mtype:fruit f }
typedef Out { In in; In2 list[2]; unsigned w : 7 }
Out g[2]; int k = 3; byte arr[k]
init { mtype:colour c = red; g[1].list[0].s = g[0].in.b[1] << 2 | ~k; { Out l; l.w = 1 }; skip; byte late = 4 }

// what: remote references in a never claim
// run: -a
active [2] proctype P() { do :: skip; cs: skip od }
never { do :: P[0]@cs && P[1]@cs -> break :: else od }

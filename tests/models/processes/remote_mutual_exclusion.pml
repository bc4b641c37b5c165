// what: a monitor sees two processes at the same label
active [2] proctype P() { skip; cs: skip }
active proctype Monitor() { assert(!(P[0]@cs && P[1]@cs)) }

// what: a process that jumps to its end from the middle
byte n;
active [2] proctype P() { if :: n++; goto done :: n = n + 2 fi; n = n + 4; done: skip }

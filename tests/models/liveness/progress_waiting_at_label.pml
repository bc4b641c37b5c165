// what: a process that stands at its progress label makes every state a progress state
// run: -l
bit b;
active proctype P() { progress: b == 2 }
active proctype Q() { do :: b = 1 - b od }

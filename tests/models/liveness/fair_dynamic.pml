// what: fairness with a process that is started during the run
// run: -a p
// run: -a -f p
byte n;
bit b;
proctype Q() { n = 1 }
active proctype P() { run Q(); do :: b = 1 - b od }
ltl p { <> (n == 1) }

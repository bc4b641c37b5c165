// what: the other process runs for ever: a non-progress cycle that weak fairness excludes
// run: -l
// run: -l -f
bit a, b;
active proctype P() { do :: a = 1; progress: a = 0 od }
active proctype Q() { do :: b = 1 - b od }

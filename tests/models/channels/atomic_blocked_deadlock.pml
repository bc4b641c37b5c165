// what: only while an atomic sequence is interrupted at a rendezvous can another process cause a deadlock
chan r = [0] of { byte };
byte x;
bool stop;
active proctype sender() { do :: atomic { !stop -> x = 1; r!0 } od }
active proctype receiver() { bit l; end: do :: r?x; l = 1 - l; l = 1 - l od }
active proctype watcher() { end: (x == 1); stop = true }

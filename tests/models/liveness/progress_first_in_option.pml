// what: a progress label at the start of an option marks the whole do, so that each cycle makes progress
// run: -l
byte n;
active proctype P() { do :: n = 1 - n :: progress: n = 0 od }

// what: a loop that starts processes without end reaches the limit of 255
// expect: violated too-many-processes - - -; Spin stops the whole search
proctype P() { end: false }
init { do :: run P() od }

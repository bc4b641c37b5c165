// what: processes with a local channel each reach the limit of 255 channels
// expect: violated too-many-channels - - -; Spin stops the whole search
proctype P() { chan a = [1] of { bit }; chan b = [1] of { bit }; end: false }
init { do :: run P() od }

// what: a statement inside a d_step that is not executable
// expect: violated d_step-blocks - - -; Spin stops the whole search
byte n;
active proctype P() { d_step { n = 1; n == 2; n = 3 } }

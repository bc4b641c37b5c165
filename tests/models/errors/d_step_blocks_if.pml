// what: an if inside a d_step without an executable option
// expect: violated d_step-blocks - - -; Spin stops the whole search
byte n;
active proctype P() { n = 5; d_step { n = 1; if :: n == 2 -> n = 3 :: n == 4 -> n = 5 fi } }

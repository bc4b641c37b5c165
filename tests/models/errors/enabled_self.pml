// what: enabled() of the process itself, outside a claim
// expect: violated enabled-self - - -; Spin stops the whole search
byte n;
active proctype P() { n = 1; enabled(_pid) -> n = 2 }

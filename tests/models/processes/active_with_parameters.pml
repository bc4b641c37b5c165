// what: parameters of an active proctype are zero, or what run gives them
byte sum;
active [2] proctype P(byte k; short s) { assert(k == 0 && s == 0 || k == 7 && s == -7); sum = sum + k }
init { run P(7, -7); sum == 7 }

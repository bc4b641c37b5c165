// what: eight processes of two steps: about ten thousand states
byte a[8];
active [8] proctype P() { a[_pid] = 1; a[_pid] = 2 }

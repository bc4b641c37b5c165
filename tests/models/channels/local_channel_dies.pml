// what: a local channel disappears with its process
byte n;
proctype P() { chan q = [2] of { byte }; q!1; n++ }
init { run P(); n == 1; _nr_pr == 1; run P(); n == 2; _nr_pr == 1 }

// what: run as a guard, and run whose result is not used
byte n;
proctype P() { n++ }
init { if :: run P() -> n = n + 10 fi; run P(); n == 12 }

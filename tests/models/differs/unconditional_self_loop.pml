// what: a loop of nothing but skip is a step that leads back to its own state
// expect: holds - 2 3 0; one assignment, then a loop that matches its own state; Spin's verifier refuses the model
byte n;
active proctype P() { n = 1; do :: skip od }

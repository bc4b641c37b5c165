byte x; proctype P(string s; double d) { x = d } init { run P(1, 2) }

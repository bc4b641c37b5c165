byte x; active proctype P() { byte float; goto real; real: x = 1; double: float = 2 }
active proctype Q() { string: x = 2; goto string }

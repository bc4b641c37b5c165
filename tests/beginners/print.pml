active proctype P() { print("hello\n") }

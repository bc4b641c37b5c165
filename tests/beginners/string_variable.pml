string s;
active proctype P() { s = "hello"; printf("%s", s) }

active proctype P() { string s = "hello"; printf("%s", s) }

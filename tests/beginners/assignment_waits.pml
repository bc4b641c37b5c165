byte m, id = 3; active proctype P() { m = id -> m = 2 }

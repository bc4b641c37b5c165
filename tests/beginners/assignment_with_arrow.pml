byte m, id = 3;
active proctype P() { do :: m = id -> break :: m > 5 -> m = 0 od }

// what: arithmetic on a channel name
chan q = [1] of { byte };
active proctype P() { q++ }

// what: a send with more values than the channel has fields
chan q = [1] of { byte };
active proctype P() { q!1, 2 }

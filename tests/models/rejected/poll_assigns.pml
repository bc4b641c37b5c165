// what: a poll with a send
chan q = [1] of { byte };
init { q![1] }

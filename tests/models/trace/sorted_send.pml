// what: sorted sends that arrive in order are events like plain sends
chan q = [3] of { byte };
active proctype P() { q!!1; q!!3; q?1 }
trace { q!1; q!3; q?1 }

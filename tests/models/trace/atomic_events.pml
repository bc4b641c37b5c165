// what: events inside atomic sequences are seen one by one
chan q = [3] of { byte };
byte n;
active proctype P() { atomic { q!1; q!2; q?n }; q!3 }
trace { q!1; q!2; q?1; q!3 }

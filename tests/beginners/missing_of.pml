chan q = [2] { byte };
active proctype P() { q!1 }

mtype = { red, green };
mtype m = "red";
active proctype P() { m = green }

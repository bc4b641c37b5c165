mtype = { red, green };
chan c = [1] of { mtype };
active proctype P() { c!1 }
active proctype Q() { c?green }

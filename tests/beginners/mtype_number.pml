mtype = { red, green };
mtype light = 7;
active proctype P() { do :: light == red -> light = green :: light == green -> light = red od }

bool b = TRUE;
active proctype P() { b = FALSE }

divert(1)one
divert(-1)gone
divert`'zero
undivert(1)divnum

// what: 254 processes besides init can live at the same time
byte n;
proctype P() { end: false }
init { atomic { do :: n < 254 -> run P(); n++ :: else -> break od }; assert(_nr_pr == 255) }

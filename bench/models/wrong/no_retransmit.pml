/* Alternating bit over channels that lose messages; the sender waits for ever. */
mtype = { msg, ack };
chan there = [3] of { mtype, bit }; chan back = [3] of { mtype, bit };
byte sent, got;
active proctype sender() {
  bit b, r;
  do :: sent < 40 -> there!msg(b); back?ack(r);
        if :: r == b -> b = 1 - b; sent++ :: else fi
     :: sent == 40 -> break od
}
active proctype receiver() {
end: do :: bit b; there?msg(b) -> got++; back!ack(b) od
}
active proctype thief() { bit b; end: do :: there?msg(b) od }

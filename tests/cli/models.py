"""Small models that the tests of the command line run."""

MODELS = {
    # 70,000 words and a little more in a state; the assertion fails after 11 statements
    "long_states.pml": "int a[70000]; active proctype P() { int n; do :: n < 3 -> a[69999] = a[69999] * 1000003 + 12345; n++\n"
                ":: else -> break od; assert(a[0] != 0) }\n",
    "exclusive.pml": """\
chan q = [2] of { byte };
active proctype A() { byte x; xr q; q?x }
active proctype B() { byte y; xs q; q!1; q?y }
""",
    "exclusive_twice.pml": """\
chan q = [2] of { byte };
active [2] proctype A() { xs q; q!1 }
active proctype B() { byte y; xr q; q?y; q?y }
""",
    "exclusive_kept.pml": """\
chan q = [2] of { byte };
active proctype A() { xs q; q!1; q!2 }
active proctype B() { byte y; xr q; q?y; q?y }
""",
    # One step with 2^40 ways through it.
    "ways.pml": "active proctype A() { byte x; atomic { " + "if :: skip :: skip fi; " * 40 + "x = 1 } }\n",
    # Each number has four successors: (4^11 - 1) / 3 = 1,398,101 states, 4^10 of them in one level.
    "wide.pml": """\
int x;
active proctype P() {
    do
    :: x < 349525 -> if :: x = 4*x + 1 :: x = 4*x + 2 :: x = 4*x + 3 :: x = 4*x + 4 fi
    :: else -> break
    od
}
""",
    # Four processes that count for themselves: some 15 places each.
    "counters.pml": """\
byte ready;
active [4] proctype P() { byte i; do :: i < 6 -> i++ :: else -> break od; ready++ }
ltl all { <> (ready == 4) }
ltl none { [] (ready == 0) }
ltl soon { X (ready == 0) }
""",
    # Invalid end states: each of four processes stops at one of six places, or of the first five
    # after its count was spoilt: 11 each, of which there are 11 to the power of 4.
    "many_ends.pml": """\
byte a[4];
active [4] proctype P()
{
    byte i;
    do
    :: i < 5 -> i++; a[_pid] = i
    :: a[_pid] = i + 100; break
    :: i < 5 -> a[_pid] = i + 50; break
    od;
    false
}
""",
    # 16.7 million states before the error, and a shortest way of 766 steps to it.
    "far.pml": """\
byte a, b, c;
active proctype P() { do :: a < 255 -> a++ :: a == 255 && b == 255 && c == 255 -> assert(false) od }
active proctype Q() { do :: b < 255 -> b++ od }
active proctype R() { do :: c < 255 -> c++ od }
""",
    # Two formulas, one of which does not hold.
    "formulas.pml": """\
byte x;
active proctype P() { x = 1; x = 2 }
ltl rises { <> (x == 2) }
ltl stays { [] (x < 2) }
""",
    # Two processes, no lock: the shortest way to two in the critical section.
    "mutex.pml": """\
byte inside;
bool flag[2];

active [2] proctype user()
{
    flag[_pid] = true;
    inside++;
    assert(inside == 1);
    inside--;
    flag[_pid] = false
}
""",
    "good.pml": """\
byte x;
active proctype P() { x = 1; x = 2; assert(x == 2) }
""",
    # Symmetry: N processes with K places each, which see nothing of each other.
    "ring.pml": """\
#ifndef N
#define N 2
#define K 3
#endif
active [N] proctype P()
{
    byte x;
    do
    :: d_step { x < K - 1 -> x++ }
    :: d_step { x == K - 1 -> x = 0 }
    od
}
""",
    # An element of `want` for each process.
    "slots.pml": """\
byte want[4], inside;
active [4] proctype P()
{
    do
    :: want[_pid] = 1;
       atomic { inside == 0 -> inside++ };
       assert(inside == 1);
       want[_pid] = 2;
       inside--;
       want[_pid] = 0
    od
}
""",
    # One of three gets no token.
    "stuck.pml": """\
byte tokens = 2;
active [3] proctype P() { d_step { tokens > 0 -> tokens-- } }
""",
    # Two at a time are not done; if always the younger one gets the token, there are never more.
    "grows.pml": """\
byte tokens;
proctype P() { tokens > 0 -> tokens-- }
init { run P(); run P(); do :: timeout -> tokens++; run P() od }
""",
    # What tells processes apart.
    "pid.pml": "byte turn;\nactive [2] proctype P() { do :: turn == _pid -> turn = 1 - turn od }\n",
    "counted.pml": "active [2] proctype P() { skip }\nactive proctype Q() { _nr_pr == 1 }\n",
    "peer.pml": "active [2] proctype P() { skip; in: skip }\nactive proctype Q() { !P[0]@in }\n",
    "own.pml": "chan all = [2] of { chan };\n"
               "active [2] proctype P() { chan c = [1] of { bit }; all!c }\n",
    "apart.pml": "byte g;\nproctype P(byte k) { g = k; assert(g <= 2) }\ninit { run P(1); run P(2) }\n",
    "last.pml": "byte g;\nactive [2] proctype P() { do :: g = _last od }\n",
    # Each waits for the other.
    "deadlock.pml": """\
chan a = [1] of { byte };
chan b = [0] of { byte };
byte x = 2;
active proctype P() { byte v; a?v; b!v }
active proctype Q() { byte v; b?v; a!v }
active proctype R() { (x == 3) }
""",
    # Everything that a trail can hold: atomic, d_step, rendezvous, buffered, run, end, unless.
    "mix.pml": """\
mtype = { req, ack };
chan q = [0] of { mtype, byte };
chan r = [2] of { byte };
byte g;
proctype child(byte n)
{
    byte y;
    r!n;
    r!n + 1;
    y = n; y = y + 1;
    q?ack(y)
}
active proctype A()
{
    byte x;
    x = 1; x = 2;
    run child(4);
    atomic { r?x; g = x; r?x };
    d_step { x = 5; g = x + 1 };
    q!ack, 9;
    { do :: g < 20 -> g++ od } unless { g == 8 };
    printf("g is %d, %e\\n", g, req);
    (_nr_pr == 1);
    if :: x == 5 -> x = 6; x = 7 :: else -> skip fi;
    assert(g != 8)
}
""",
    "flow.pml": """\
byte g, log;
active proctype P() {
  byte a, b;
  do :: a = g; if :: a == 0 -> g = 1 :: else -> g = 0 fi; b = a; log = log + b; printf("%d", b) od
}
""",
    "paths.pml": """\
byte a, b, c;
active proctype P() {
  if
  :: d_step { a = 0; b = 0; c = 0 } :: d_step { a = 0; b = 0; c = 1 }
  :: d_step { a = 1; b = 0; c = 0 } :: d_step { a = 1; b = 1; c = 1 }
  fi;
  if :: a > 0 -> b = 2 :: else fi;
  c = a + b;
  assert(a + b + c < 9)
}
""",
    "ignored.pml": """\
chan q = [2] of { byte, byte };
active proctype S() { byte id; do :: q!1, id; id = (id + 1) % 4 od }
active proctype R() { byte a, last; do :: q?a, last; assert(a == 1) od }
""",
    "unseen.pml": """\
byte unseen, i, t[3];
active proctype P() { do :: i < 4 -> unseen = t[i]; i++ :: else -> break od }
""",
    "round.pml": """\
byte n; bit x;
active proctype P() { do :: n++; x = 1 - x od }
ltl p { <> [] (x == 0) }
""",
    "atomic_stem.pml": "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3; x = 4; x = 5 }; do :: x == 5 od }\nltl f { <> (x == 6) }\n",
    "counter.pml": """\
byte x, y, z;
active proctype P() { do :: x++ :: y++ :: z++ od }
""",
    "ltl.pml": """\
byte x;
active proctype P() { x = 1 }
ltl small { [] (x < 2) }
ltl grows { <> (x == 1) }
""",
    "loop.pml": """\
byte x, y;
active proctype P() { x = 3; do :: x = 1 :: x = 2 od }
active proctype Q() { y = 1 }
""",
    "lock.pml": """\
byte free = 1, in;
active proctype P() { do :: atomic { free > 0 -> free-- }; in = 1; in = 0; free++ od }
active proctype Q() { do :: atomic { free > 0 -> free-- }; free++ od }
ltl p { []<> (in == 1) }
""",
    "fairfar.pml": """\
byte s
active proctype P() {
	do
	:: d_step { s == 0 -> s = 3 }
	:: d_step { s == 3 -> s = 4 }
	:: d_step { s == 4 -> s = 1 }
	:: d_step { s == 1 -> s = 4 }
	:: d_step { s == 0 -> s = 2 }
	od
}
active [70] proctype Q() {
	do
	:: wfair: d_step { s == 2 -> s = 0 }
	od
}
ltl p { []<> (s == 0) }
""",
    "fairlock.pml": """\
byte free = 1, in;
active proctype P() { do :: sfair_get: atomic { free > 0 -> free-- }; in = 1; in = 0; free++ od }
active proctype Q() { do :: atomic { free > 0 -> free-- }; free++ od }
ltl p { []<> (in == 1) }
""",
    "fairgoto.pml": """\
active proctype P() { byte x; if :: x == 0 -> skip; sfair_x: goto done :: x == 1 fi; done: skip }
""",
    "accept.pml": """\
byte x;
active proctype P() { do :: x = 1 - x; accept: skip od }
""",
    "nochan.pml": """\
chan q; byte x;
active proctype P() { x = 0 }
ltl c { [] ((len(q) < 2) -> (len(q) > 0)) }
""",
    "claim.pml": """\
byte x;
active proctype P() { x = 1; x = 2 }
never { do :: x == 1 -> break :: else od }
""",
    "claimwrites.pml": """\
byte x, y;
active proctype P() { x = 1; x = 2 }
never { do :: atomic { y == 0 -> x = 1 } od }
""",
    "never.pml": """\
byte x;
active proctype P() { x = 1; assert(x == 2) }
never { do :: true od }
""",
    "two.pml": """\
byte x;
active proctype P() { if :: x = 1; assert(x == 2) :: x = 3; assert(x == 4) fi }
""",
    "unreached.pml": """\
byte x;
active proctype P() { if :: x == 0 -> x = 1 :: x == 7 -> x = 2 fi }
""",
    "full.pml": """\
chan q = [1] of { byte };
active proctype P() { q!1; q!2; q!3 }
""",
    "rest.pml": """\
chan q = [1] of { byte };
active proctype P() { q!1 }
""",
    "long.pml": """\
byte x;
active proctype P() { do :: x < 100 -> x++ :: else -> break od; assert(x != 100) }
""",
    "bad.pml": """\
byte count;
active proctype P() { cuont = 1 }
""",
    "macro.pml": """\
#include "limit.h"
byte x;
active proctype P() { x = LIMIT; assert(x < 5 + EXTRA) }
""",
    "index.pml": """\
byte a[3], i;
active proctype P() { i = 3; a[i] = 1 }
""",
    "division.pml": """\
byte x, y;
active proctype P() { x = 5; y = x / (x - 5) }
""",
    "names.pml": """\
mtype = { red, green };
mtype light = red;
chan q = [2] of { mtype, byte };
active proctype P() { light = green; q!red, 7; printf("%e %d %x %c%u %o\\n", light, 10, 255, 65, 3, 8) }
active proctype Q() { mtype m; byte n; q?m, n; assert(n != 7) }
""",
    "cdivide.pml": """\
byte x, y;
active [2] proctype P() {
    do
    :: x < 9 -> x++
    :: x > 3 -> c_code { now.y = 100 / (now.x - 8); }
    od
}
""",
    # The second time, it would not fail.
    "conce.pml": """\
c_decl { static int tried; }
byte x, y;
active [2] proctype P() {
  do
  :: x < 200 -> x++
  :: y < 60 -> y++
  :: x == 150 && y == 40 -> c_code { if (!tried++) *(volatile int *)(long)(now.x - 150) = 3; }
  od
}
""",
    "cpointer.pml": """\
c_decl { int *where; };
byte x;
active [2] proctype P() { do :: x < 9 -> x++ :: else -> c_code { *where = now.x; } od }
""",
    "cexit.pml": """\
byte x;
active [2] proctype P() { do :: x < 9 -> x++ :: else -> c_code { exit(7); } od }
""",
    "ccode.pml": """\
int x;
active proctype P() { c_code { now.x = 1; }; assert(x == 0) }
""",
    # Two errors: one at once, the other behind more states than a search without reduction may take.
    # Few states, several errors, none of which can be reached sooner.
    "few_states.pml": """\
byte g, h, w, u, arr[3];
chan q = [1] of { byte, byte };
chan r = [0] of { byte };
active proctype P0() { byte a, b, c = 2, loc[2]; end: do :: q?eval(g), c; d_step { w = ((0 + arr[a % 3]) % 3) }  od; b = loc[0] }
proctype P1(byte m) { byte a, b, c, loc[2]; d_step { w = (u & (g -> a : 1)); a = ((g + ((g + 1) % 3)) % 3) % 3; arr[u % 3] = a % 3; if :: (u == 2) -> b = (h && 1) % 3 :: else -> b = (((h + a) % 3) == (m -> 1 : c)) % 3 fi; a = (a + 1) % 3 }; atomic { assert(a != 0); assert(a != 1); assert(a != 2) } }
init { byte k = 1; run P1(2); run P1(2); k = (k + 1) % 3; w = k }
""",
    "two_far.pml": """\
byte done;
bool go;
active [6] proctype P() { byte i; go; do :: i < 20 -> i++ :: else -> break od; done++ }
active proctype E() { assert(false); go = 1 }
active proctype L() { done == 6 -> assert(done != 6) }
""",
    # With a reduction the error is met before the clock is looked at; its shortest way takes longer.
    "late.pml": """\
byte done;
active [6] proctype P() { byte i; do :: i < 3 -> i++ :: else -> break od; done++ }
active proctype L() { done == 6; assert(false) }
""",
    # 64 invalid end states: one for each value of x.
    "ends.pml": """\
byte x;
active proctype P() { select(x : 0 .. 63); x > 100 }
""",
    # The way to the invalid end state is longer than that which symmetry finds.
    "lifted.pml": """\
chan q = [0] of { byte };
active proctype S() { q!3 }
active [2] proctype R() { q?_ }
""",
    "forever.pml": """\
byte a, b, c, d;
active proctype P() { do :: a++ :: b++ :: c++ :: d++ od }
""",
    # Embedded C that never comes back.
    "hangs.pml": """\
active proctype P() { c_code { for (volatile int i = 0; i < 1; i *= 2); } }
""",
    # An atomic sequence that never ends.
    "endless.pml": """\
byte n, x;
active proctype P() { x = 1; atomic { do :: n = 1 - n od } }
""",
    # Spin's trail of this one is a cycle, with a claim, and with merged statements.
    "live.pml": """\
byte x;
active proctype P() { do :: x = 1 - x; x = x + 0 od }
active proctype Q() { byte y; do :: y = 1; y = 2; x = x od }
ltl p { <> (x > 3) }
""",
    # Steps of P that Q cannot see between.
    "joined.pml": """\
byte g;
active proctype P() { byte l; g = 1; l = 2; l = l + 1; assert(l == 3); g = l }
active proctype Q() { g = 4 }
""",
    "empty.pml": "",
    "strange.pml": """\
byte x;
active proctype P() { printf("a \\"quoted\\" < > & text\\n"); x = 1; assert(x == 0) }
""",
}

MODELS["some_ends.pml"] = MODELS["many_ends.pml"].replace("[4]", "[2]")

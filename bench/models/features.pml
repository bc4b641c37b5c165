/* Features of the language, each of which leaves the states as they are, or nearly so: what does it
 * cost? Four processes go round, at K places each, and hand a token about.
 * -DFEATURE chooses one; without it, there is none. -DN: processes (4); -DK: places (9).
 * -DONCE: only one more process uses it, once, and ends.
 */
#ifndef N
#define N 4
#endif
#ifndef K
#define K 9
#endif

byte place[N];
byte token;
chan box = [2] of { byte };

#define LOOK true
#define CLAUSE
#define BEFORE
#define AFTER

#ifdef EMBEDDED_C
#undef LOOK
#define LOOK c_expr { now.token <= 200 }
#endif
#ifdef C_CODE
#undef LOOK
#define LOOK c_expr { now.token / 2 <= 100 }
#endif
#ifdef ENABLED
#undef LOOK
#define LOOK (_pid == N || enabled(N) || true)
#endif
#ifdef LAST
#undef LOOK
#define LOOK (_last >= 0)
#endif
#ifdef PC_VALUE
#undef LOOK
#define LOOK (pc_value(N) >= 0)
#endif
#ifdef TRACE
trace {
  do
  :: box!_
  :: box?_
  od
}
#endif
#ifdef NOTRACE
notrace {
  do
  :: box!_
  :: box?_ -> box?_ -> box?_ -> break
  od
}
#endif
#ifdef PROVIDED
#undef CLAUSE
#define CLAUSE provided (token <= N)
#endif
#ifdef SAME_PRIORITY
#undef LOOK
#define LOOK (_priority == 1)
#endif
#ifdef PRIORITY
#undef CLAUSE
#define CLAUSE priority 2
#endif
#ifdef UNLESS
#undef BEFORE
#undef AFTER
#define BEFORE {
#define AFTER } unless { token > N }
#endif
#ifdef TIMEOUT
#undef BEFORE
#undef AFTER
#define BEFORE if :: timeout -> token = 0 ::
#define AFTER fi
#endif
#ifdef LONG
int ballast[250];
#endif
#ifdef HIDDEN
hidden int scratch;
#undef BEFORE
#define BEFORE scratch = token;
#endif
#ifdef DYNAMIC
proctype child() { skip }
#undef LOOK
#define LOOK (_nr_pr <= N + 2)
#endif

#ifdef ONCE
#define IN_WALKER(it)
#define ALWAYS true
#else
#define IN_WALKER(it) it
#define ALWAYS LOOK
#endif

active [N] proctype walker() IN_WALKER(CLAUSE) {
  do
  :: place[_pid] < K && place[_pid] <= place[(_pid + 1) % N] + K / 2 && ALWAYS ->
     IN_WALKER(BEFORE) place[_pid]++ IN_WALKER(AFTER)
  :: place[_pid] == K ->
     if
     :: token == _pid -> place[_pid] = 0; token = (_pid + 1) % N
     :: token != _pid -> place[_pid] = K / 2
     fi
  od
}

active proctype other() {
  byte x;
  do
  :: token == 0 && len(box) < 2 -> box!1
#ifdef LONG
     ; ballast[token] = 70000 * (token & 16) /* 0 */
  :: ballast[0] > 0 -> x = 0 /* never */
#endif
  :: box?x -> x = 0
#ifdef DYNAMIC
  :: _nr_pr == N + 1 -> run child()
#endif
  od
}

#ifdef ONCE
active proctype once() CLAUSE {
  LOOK -> BEFORE skip AFTER
}
#endif

#ifdef CLAIM
never {
  do
  :: token <= N
  :: token > N -> break
  od
}
#endif
#ifdef CLAIM_VARIABLE
byte was;
never {
  do
  :: d_step { token <= N && was <= N -> was = token }
  :: token > N || was > N -> break
  od
}
#endif

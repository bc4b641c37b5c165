/* Features of the language, each of which leaves the states as they are, or nearly so: what does it
 * cost? Four processes go round, at K places each, and hand a token about.
 * -DFEATURE chooses one; without it, there is none. -DN: processes (4); -DK: places (9).
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

#define ALWAYS true
#define CLAUSE
#define BEFORE
#define AFTER

#ifdef EMBEDDED_C
#undef ALWAYS
#define ALWAYS c_expr { now.token <= 200 }
#endif
#ifdef ENABLED
#undef ALWAYS
#define ALWAYS (_pid == N || enabled(N) || true)
#endif
#ifdef LAST
#undef ALWAYS
#define ALWAYS (_last >= 0)
#endif
#ifdef PC_VALUE
#undef ALWAYS
#define ALWAYS (pc_value(N) >= 0)
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
#undef ALWAYS
#define ALWAYS (_priority == 1)
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
#undef ALWAYS
#define ALWAYS (_nr_pr <= N + 2)
#endif

active [N] proctype walker() CLAUSE {
  do
  :: place[_pid] < K && place[_pid] <= place[(_pid + 1) % N] + K / 2 && ALWAYS -> BEFORE place[_pid]++ AFTER
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
     ; ballast[token] = 0
#endif
  :: box?x -> x = 0
#ifdef DYNAMIC
  :: _nr_pr == N + 1 -> run child()
#endif
  od
}

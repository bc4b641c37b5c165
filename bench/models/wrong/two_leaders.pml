/* Leader election in a ring, in which the greater number is dropped by mistake if it was seen. */
#define N 5
chan q[N] = [N] of { byte };
byte leaders;
active [N] proctype node() {
  byte mine = (_pid * 3) % N, other, most = (_pid * 3) % N;
  q[(_pid + 1) % N]!mine;
  do
  :: q[_pid]?other ->
     if
     :: other > most -> most = other; q[(_pid + 1) % N]!other
     :: other == mine -> leaders++; assert(leaders == 1); break
     :: other < most && other != mine -> q[(_pid + 1) % N]!other; 
     fi
  :: leaders > 0 -> break
  od
}

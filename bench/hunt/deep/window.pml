/* Sliding window with selective repeat, windows of five frames, channels of four places that lose.
 * Sequence numbers are counted modulo 2W-1, one too few: an old frame may be taken for a new one. */
#define W 5
#define CAP 4
#define D 11
#define M (2*W-1)

chan data = [CAP] of { byte, byte };
chan ack = [CAP] of { byte };

active proctype sender()
{
    byte base, used, first, k;
    bool acked[M];

    do
    :: used < W -> data!((base + used) % M), ((first + used) % D); used++
    :: k < used ->
       if
       :: !acked[(base + k) % M] -> data!((base + k) % M), ((first + k) % D)
       :: else
       fi;
       k = (k + 1) % W
    :: k > 0 -> k = 0
    :: atomic {
           ack?k ->
           if
           :: (k + M - base) % M < used -> acked[k] = true
           :: else
           fi;
           k = 0 };
       do
       :: used > 0 && acked[base] ->
          d_step { acked[base] = false; base = (base + 1) % M; first = (first + 1) % D; used-- }
       :: else -> break
       od
    od
}

active proctype receiver()
{
    byte base, expected, s, v;
    bool got[M];

    do
    :: data?s, v ->
       if
       :: (s + M - base) % M < W ->
          assert(v == (expected + (s + M - base) % M) % D);
          got[s] = true
       :: else
       fi;
       ack!s;
       d_step { s = 0; v = 0 };
       do
       :: got[base] ->
          d_step { got[base] = false; base = (base + 1) % M; expected = (expected + 1) % D }
       :: else -> break
       od
    od
}

active proctype loss()
{
    do
    :: data?_, _
    :: ack?_
    od
}

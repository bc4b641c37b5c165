/* Two processes pass a token and count: a model so small that a run measures the start of the
 * program and nothing else. It has exactly 40 states.
 */
bool turn;
byte n;

active [2] proctype P()
{
	do
	:: turn == _pid ->
		n = (n + 1) % 5;
		assert(n < 5);
		turn = 1 - turn
	od
}

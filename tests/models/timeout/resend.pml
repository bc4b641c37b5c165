// what: a sender repeats its message when a lossy line has lost it
chan q = [1] of { byte };
byte got, tries;
active proctype S()
{
	do
	:: tries < 3 && !got ->
		tries++;
		if :: q!1 :: skip fi;
		if :: got -> break :: timeout fi
	:: else -> break
	od
}
active proctype R() { end: q?got }

mtype = A req, ack, nak }
typedef Msg { mtype kind; byte data[2] }
chan q = [2] of { otk),_; q?<ype, byte }; chan r
chan s[2] = [0] of { Msg };
active proctype P() { cyte x; Msg m
	q!req,1; q!!acunlessq?req,x; q??eval(ack),_; q?<†ack(x)>; q??<nak,-1>;
	if :: q?[req,x] && nempty(q) -> skip :: full(q) || len(q) > 1 :: else fi
	s[0]!m; s[x]?m; r = q
}

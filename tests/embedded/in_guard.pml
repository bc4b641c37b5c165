// C in expressions, in atomic sequences, beside channels and else.
chan q = [2] of { byte };
byte total;
active proctype Sender()
{
    byte i;
    do
    :: atomic { i < 3 && c_expr { now.total < 10 } -> q!i; c_code { PSender->i++; } }
    :: c_expr { PSender->i >= 3 } -> break
    od
}
active proctype Receiver()
{
    byte v;
    do
    :: q?v -> c_code { now.total += PReceiver->v + 1; }
    :: else -> if :: c_expr { now.total == 6 } -> break :: else fi
    od;
    assert(total == 6)
}

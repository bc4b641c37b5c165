/*
 * The public-key protocol of Needham and Schroeder (1978), and the attack on it
 * that Gavin Lowe found with a model checker in 1995.
 *
 * A and B want to know that they talk to each other. Messages are encrypted with
 * the key of the one who shall read them:
 *
 *     A -> B: { nonce of A, A } B
 *     B -> A: { nonce of A, nonce of B } A
 *     A -> B: { nonce of B } B
 *
 * The intruder sees every message, can replace any of them, reads those that are
 * encrypted with its own key, and is a user like any other, so that A may well
 * want to talk to it.
 *
 *     gyre needham_schroeder.pml                 finds the attack
 *     gyre needham_schroeder.pml -D LOWE         holds: B's answer names B
 *
 * gyre: expect violated
 * gyre: expect authentic violated
 * gyre: with -D LOWE expect holds
 */
mtype = { A, B, I, nonce_a, nonce_b, nonce_i, nothing, msg1, msg2, msg3 };

/* message: to whom it goes, which of the three, whose key, two values, name of the sender */
chan network = [0] of { mtype, mtype, mtype, mtype, mtype, mtype };

bool a_done, b_done;
mtype a_partner = nothing, b_partner = nothing;

active proctype Alice()
{
    mtype got, name;

    if
    :: a_partner = B
    :: a_partner = I
    fi;
end_first:                                  /* another one may keep the network busy */
    network!a_partner(msg1, a_partner, nonce_a, A, nothing);
end:                                        /* no process must answer */
    network?eval(A)(msg2, eval(A), eval(nonce_a), got, name);
#ifdef LOWE
end_stranger:
    name == a_partner;
#endif
end_sending:
    atomic {
        network!a_partner(msg3, a_partner, got, nothing, nothing);
        a_done = true
    }
}

active proctype Bob()
{
    mtype nonce, peer;

end:
    network?eval(B)(msg1, eval(B), nonce, peer, _);
    b_partner = peer;
end_answer:
#ifdef LOWE
    network!peer(msg2, peer, nonce, nonce_b, B);
#else
    network!peer(msg2, peer, nonce, nonce_b, nothing);
#endif
end_last:
    network?eval(B)(msg3, eval(B), eval(nonce_b), _, _);
    b_done = true
}

/* Knows its own nonce, learns what it can read, keeps one message that it cannot, sends anything
 * that it can make. The network takes whatever it wants to take. */
active proctype Intruder()
{
    bool knows_a, knows_b;
    mtype kind, key, x, y, z;               /* the message last seen */
    mtype kept_kind = nothing, kept_key, kept_x, kept_y, kept_z;
    mtype to, p, q, r;

end:
    do
    :: network?_(kind, key, x, y, z) ->
       if
       :: key == I ->
          knows_a = knows_a || x == nonce_a || y == nonce_a;
          knows_b = knows_b || x == nonce_b || y == nonce_b
       :: else ->
          kept_kind = kind; kept_key = key; kept_x = x; kept_y = y; kept_z = z
       fi;
       kind = nothing; key = nothing; x = nothing; y = nothing; z = nothing
    :: kept_kind != nothing ->              /* pass on what it cannot read */
end_kept:
       network!kept_key(kept_kind, kept_key, kept_x, kept_y, kept_z)
    :: atomic {                             /* or a message of its own */
           if
           :: to = A
           :: to = B
           fi;
           if
           :: p = nonce_i
           :: knows_a -> p = nonce_a
           :: knows_b -> p = nonce_b
           fi
       };
end_made:
       if
       :: network!to(msg1, to, p, A, nothing)
       :: network!to(msg1, to, p, I, nothing)
       :: network!to(msg2, to, p, nonce_i, I)
       :: knows_b ->
end_made_b:
          network!to(msg2, to, p, nonce_b, I)
       :: network!to(msg3, to, p, nothing, nothing)
       fi;
       p = 0
    od
}

/* If B is done and believes that it talks to A, then A does talk to B. */
ltl authentic { [] (b_done && b_partner == A -> a_partner == B) }

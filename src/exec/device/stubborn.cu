// The choice of a stubborn set, as in reduce/stubborn.c: of the processes of a state, of which it is noted
// what they can do, those that suffice. Stands between the prelude and the tables that it reads, where a
// reduction is wanted.

#define EVERYONE (~0ull)
#define NO_ROW 0xffffu
#define NO_QUESTION 0xffffu
enum { IS_VISIBLE = 1, IS_TIMEOUT = 2, IS_ELSE = 4, IS_END = 8, MAY_FAIL = 16, MEETS = 32, IS_ALONE = 64 };
enum { HOLDS, PERHAPS, FAILS };

// Tables of a shape: exec/stubborn_table.h, exec/device/stubborn_code.c.
struct choice {
    const word (*process)[3]; // its control location: place and mask; its first place
    const word *node;         // by place: the first edge
    const word (*edge)[5];    // flags, conflicts, always, first wait, how many
    const word (*wait)[2];
    const word (*question)[7]; // place, 32 - bits, is it signed, low, span, answers
    const word *row;
    word processes, row_words, escapes;
};
DEVICE inline u64 members_at(const struct choice *c, const word *at, word row)
{
    u64 set = 0;
    if (row == NO_ROW) return 0;
    const word *places = c->row + row * c->row_words;
    for (word q = 0; q < c->processes; q++)
        set |= (u64)(places[at[q] >> 5] >> (at[q] & 31) & 1) << q;
    return set;
}
DEVICE inline word asked(const struct choice *c, const st *s, word number)
{
    if (number == NO_QUESTION) return PERHAPS;
    const word *q = c->question[number];
    word high = bits_at(s, q[0]) << q[1];
    word value = q[2] ? (word)((int)high >> q[1]) : high >> q[1];
    return value - q[3] <= q[4] ? q[5] : q[6];
}
DEVICE inline word count_bits(u64 set)
{
    word n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}
// Of all that an edge may be waiting for, the one thing that the fewest can change, if it is known to
// be missing; otherwise all that may be missing.
DEVICE inline u64 who_helps(const struct choice *c, const st *s, const word *at, word pid, const word *edge)
{
    u64 all = 0, best = 0;
    word found = 0, may_fail = edge[0] & MAY_FAIL;
    for (word i = 0; i < edge[4]; i++) {
        const word *wait = c->wait[edge[3] + i];
        word a = asked(c, s, wait[1]);
        if (a == HOLDS && !may_fail) continue;
        u64 set = members_at(c, at, wait[0]) & ~(1ull << pid);
        all |= set;
        if (a == FAILS && !may_fail && (!found || count_bits(set) < count_bits(best))) {
            best = set;
            found = 1;
        }
    }
    return found ? best : all;
}
// Who must be in a set with process `pid`.
APART u64 pulls_of(const struct run *r, const struct choice *c, const st *s, const word *at, word pid)
{
    u64 set = 0;
    word first = c->node[at[pid]], end = c->node[at[pid] + 1];
    for (word e = first; e < end; e++) {
        const word *edge = c->edge[e];
        word flags = edge[0];
        if (flags & MEETS) set |= members_at(c, at, edge[2]);
        if (e - first < 64 && (r->enabled[pid] >> (e - first) & 1)) {
            if (flags & IS_VISIBLE) return EVERYONE;
            set |= members_at(c, at, edge[1]);
        } else if (((flags & IS_TIMEOUT) && !(flags & MAY_FAIL)) || ((flags & IS_ELSE) && r->moves[pid])) {
        } else if ((flags & IS_END) && pid + 1 != c->processes) {
            set |= 1ull << (c->processes - 1);
        } else if (edge[4] == 1 && !(flags & MEETS) && !c->escapes) {
            set |= members_at(c, at, c->wait[edge[3]][0]);
        } else {
            set |= who_helps(c, s, at, pid, edge);
        }
    }
    return set;
}
DEVICE inline word moves_of(const struct run *r, u64 set)
{
    word moves = 0;
    for (word pid = 0; pid < CREW && pid < 64; pid++)
        moves += set >> pid & 1 ? r->moves[pid] : 0;
    return moves;
}
APART u64 chosen(struct run *r, const st *s, const struct choice *c)
{
    word at[CREW], least = r->noted;
    u64 pulls[CREW], known = 0, tried = 0, best = EVERYONE, active = r->active;
    if (least < 2) return EVERYONE;
    for (word p = 0; p < c->processes; p++) {
        const word *process = c->process[p];
        at[p] = process[2] + (bits_at(s, process[0]) & process[1]);
    }
    // One that needs no regard for the others comes first, if it has exactly one move.
    for (word p = c->processes; p-- > 0;) {
        word first = c->node[at[p]];
        if (first == c->node[at[p] + 1] || !(c->edge[first][0] & IS_ALONE)) continue;
        if (r->moves[p] == 1) return 1ull << p;
        break;
    }
    if (r->whole || !(active & (active - 1))) return EVERYONE;
    for (word p = 0; p < c->processes; p++) {
        for (u64 on = r->moves[p] ? r->enabled[p] : 0, k = 0; on >> k; k++)
            if ((on >> k & 1) && (c->edge[c->node[at[p]] + k][0] & IS_TIMEOUT))
                return EVERYONE;
    }
    for (word seed = c->processes; seed-- > 0 && least > 1;) {
        if (!(active >> seed & 1)) continue;
        u64 set = 1ull << seed, todo = set;
        word good = r->moves[seed] < least;
        while (good && todo) {
            word pid = 0;
            while (!(todo >> pid & 1)) pid++;
            todo &= todo - 1;
            if (!(known >> pid & 1)) {
                pulls[pid] = pulls_of(r, c, s, at, pid);
                known |= 1ull << pid;
            }
            u64 more = pulls[pid] & ~set;
            set |= more;
            todo |= more & (c->processes < 64 ? (1ull << c->processes) - 1 : EVERYONE);
            good = !(set & tried) && (active & ~set);
        }
        if (good && moves_of(r, set) < least) {
            least = moves_of(r, set);
            best = set;
        }
        tried |= 1ull << seed;
    }
    return least < r->noted && least <= MOST_KEPT ? best : EVERYONE;
}
// What is to be explored of a state of which all is noted.
DEVICE inline u64 kept(struct run *r, u64 set)
{
    r->noting = 0;
    r->reduced = set != EVERYONE;
    if (r->job->mode == SEEK) return EVERYONE;
    if (r->job->mode == REPORT && !r->reduced) return 0;
    return r->job->mode == REST ? ~set : set;
}

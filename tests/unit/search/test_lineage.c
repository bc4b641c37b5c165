// The lineage of a frontier against a plain list of parents: what is marked keeps its ancestors, in
// order, whatever was forgotten and left out.
#include "search/safety/lineage.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { LEVELS = 60, MOST = 40 };

typedef struct truth { // by ref, which is dense here
    uint64_t parent[LEVELS * MOST], level[LEVELS * MOST];
} truth;

// The chain of `number` goes up through ancestors of the ref, at their levels.
static void check_chain(const gy_lineage *l, const truth *t, uint32_t number, bool whole)
{
    uint64_t ref = gy_lineage_ref(l, number);
    for (; number != GY_LINEAGE_NONE; number = gy_lineage_parent(l, number)) {
        uint64_t steps = 0;
        for (; ref != gy_lineage_ref(l, number); ref = t->parent[ref], steps++)
            assert_true(ref != GY_NO_REF);
        assert_true(!whole || steps <= 1);
        assert_int_equal(gy_lineage_ordinal(l, number), ref);
        assert_int_equal(gy_lineage_cost(l, number), t->level[ref]);
    }
    assert_int_equal(t->level[ref], 0); // the first level stays
}

static void ancestors_stay(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed < 40; seed++) {
        gy_random random;
        gy_budget budget = {0};
        gy_lineage l;
        static truth t;
        uint32_t now[MOST], before[MOST], n = 0, old = 0;
        uint64_t refs = 0;
        bool thins = seed % 2, skips = seed % 4 == 1;
        gy_random_seed(&random, seed);
        gy_lineage_init(&l, &budget);
        for (uint64_t level = 0; level < LEVELS; level++) {
            if (skips && level == LEVELS / 2)
                l.spacing = l.spacing < 4 ? 4 : l.spacing;
            bool left_out = skips && gy_lineage_leaves_out(&l, level);
            if (!left_out)
                gy_lineage_begin_level(&l, level);
            n = 1 + (uint32_t)gy_random_below(&random, MOST);
            for (uint32_t i = 0; i < n; i++) {
                uint32_t parent = level ? before[gy_random_below(&random, old)] : GY_LINEAGE_NONE;
                t.parent[refs] = level ? gy_lineage_ref(&l, parent) : GY_NO_REF;
                t.level[refs] = level;
                gy_lineage_from from = {parent, (uint32_t)refs};
                now[i] = left_out ? parent : gy_lineage_add(&l, refs, from);
                if (left_out)
                    t.parent[refs] = GY_NO_REF; // nothing will ask
                refs++;
            }
            if (level % 3 == 2) { // only what was found last is needed
                assert_true(gy_lineage_begin_sweep(&l));
                for (uint32_t i = 0; i < n; i++)
                    gy_lineage_mark(&l, now[i]);
                uint32_t entries = l.n;
                gy_lineage_sweep(&l, thins && level % 12 == 11);
                assert_true(l.n <= entries);
                for (uint32_t i = 0; i < n; i++)
                    now[i] = gy_lineage_moved(&l, now[i]);
            }
            for (uint32_t i = 0; i < n; i++)
                check_chain(&l, &t, now[i], !thins);
            memcpy(before, now, sizeof before);
            old = n;
        }
        assert_true(l.levels.n == LEVELS || thins);
        for (size_t v = 1; v < l.levels.n; v++) // what lies between two levels stays small
            assert_true(l.levels.at[v].cost - l.levels.at[v - 1].cost <= (thins ? l.spacing : 1));
        assert_true(skips || l.spacing <= 2 * (LEVELS / 12));
        assert_true(l.n < refs / 2);
        gy_lineage_free(&l);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ancestors_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

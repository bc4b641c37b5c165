// A table with one place for each hash: what comes later takes the place of what was there.
#include "exec/observe/claim_memo.h"

#include "base/bits.h"
#include "base/fatal.h"
#include "base/hash.h"
#include "model/visit.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 1 << 12 };

struct gy_claim_memo {
    uint64_t *read; // variables
    const gy_model
        *placed; // where these words and masks are: a system may have the model in fewer bits
    uint32_t count, word[GY_MEMO_WORDS];
    gy_word mask[GY_MEMO_WORDS];
    bool fits; // there are no more words than that
    gy_claim_answer *places;
};

typedef struct reading {
    const gy_model *model;
    int32_t tmpl;
    uint64_t *read;
} reading;

// Stops at what is no variable of the model or of the claim, and no arithmetic.
static gy_visit_next read_expr(void *user, const gy_expr *expr)
{
    const reading *r = user;
    if (expr->op > GY_E_COND)
        return GY_VISIT_STOP;
    if (expr->op == GY_E_VAR && r->model->vars[expr->var].owner != r->tmpl)
        gy_bits_add(r->read, (uint32_t)expr->var);
    return GY_VISIT_PARTS;
}

static bool is_plain(const gy_program *program)
{
    for (uint32_t i = 0; program && i < program->count; i++)
        switch (program->actions[i].kind) {
        case GY_A_ASSIGN:
        case GY_A_ASSERT:
        case GY_A_TEST:
        case GY_A_SELECT:
        case GY_A_JUMP:
            break;
        default:
            return false;
        }
    return true;
}

gy_claim_memo *gy_claim_memo_new(const gy_model *model, int32_t number)
{
    const gy_template *tmpl = &model->templates[number];
    for (int32_t k = 0; k < tmpl->edge_count; k++)
        if (!is_plain(model->edges[tmpl->first_edge + k].effect))
            return NULL;
    gy_claim_memo *memo = gy_alloc_zero(sizeof *memo);
    memo->read = gy_alloc_zero((gy_bits_words(model->var_count) + 1) * sizeof *memo->read);
    reading r = {model, number, memo->read};
    if (gy_visit_template(&(gy_visitor){&r, read_expr, NULL}, model, tmpl)) {
        gy_claim_memo_free(memo);
        return NULL;
    }
    memo->places = gy_alloc_zero(PLACES * sizeof *memo->places);
    return memo;
}

void gy_claim_memo_free(gy_claim_memo *memo)
{
    if (!memo)
        return;
    free(memo->read);
    free(memo->places);
    free(memo);
}

static void add_bits(gy_claim_memo *memo, uint32_t word, gy_word mask)
{
    for (uint32_t i = 0; i < memo->count; i++)
        if (memo->word[i] == word) {
            memo->mask[i] |= mask;
            return;
        }
    if (memo->count == GY_MEMO_WORDS) {
        memo->fits = false;
        return;
    }
    memo->word[memo->count] = word;
    memo->mask[memo->count++] = mask;
}

static void place(gy_claim_memo *memo, const gy_model *model)
{
    memset(memo->places, 0, PLACES * sizeof *memo->places);
    memo->placed = model;
    memo->count = 0;
    memo->fits = true;
    for (uint32_t v = 0; v < model->var_count; v++) {
        const gy_variable *var = &model->vars[v];
        if (!gy_bits_has(memo->read, v) || !var->bits || var->removed)
            continue;
        memo->fits = memo->fits && !var->hidden && var->owner == GY_NONE;
        for (uint32_t e = 0; e < var->count && memo->fits; e++) {
            uint32_t bit = var->shift + e * var->stride;
            add_bits(memo, var->word + bit / 32, (~0u >> (32 - var->bits)) << bit % 32);
        }
    }
}

gy_claim_answer *gy_claim_memo_find(gy_claim_memo *memo, const gy_model *model,
                                    const gy_word *state, uint32_t at)
{
    gy_word key[GY_MEMO_WORDS] = {0};
    if (memo->placed != model)
        place(memo, model);
    if (!memo->fits)
        return NULL;
    for (uint32_t i = 0; i < memo->count; i++)
        key[i] = state[memo->word[i]] & memo->mask[i];
    uint64_t hash = gy_hash_words(key, GY_MEMO_WORDS, at);
    gy_claim_answer *answer = &memo->places[hash % PLACES];
    if (answer->used && answer->at == at && !memcmp(answer->key, key, sizeof key))
        return answer;
    answer->used = false;
    answer->at = at;
    answer->count = 0;
    memcpy(answer->key, key, sizeof key);
    return answer;
}

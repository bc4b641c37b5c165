// Values that an effect chooses (GY_A_CHOOSE). An effect that chooses is executed once for every
// sequence of choices: a list keeps the current sequence, each run follows it and adds to its end,
// and the next sequence is the list with its last choice that has a next value moved on to that.
#include "exec/vm/vm.h"

int32_t gy_vm_choose(gy_machine *m, int32_t first, int32_t last)
{
    gy_choice_list *list = m->choices;
    gy_assert(list && first <= last);
    if (m->choice_at == list->n) {
        gy_choice choice = {first, last};
        gy_vec_push(list, choice);
    }
    return list->at[m->choice_at++].value;
}

void gy_vm_follow(gy_machine *m, gy_choice_list *list)
{
    m->choices = list;
    m->choice_at = 0;
}

bool gy_next_choices(gy_choice_list *list)
{
    while (list->n) {
        gy_choice *choice = &list->at[list->n - 1];
        if (choice->value < choice->last) {
            choice->value++;
            return true;
        }
        list->n--;
    }
    return false;
}

// Shapes: offsets, going back, limits of what is remembered, and many threads at once.
#include "visiting.h"

#include "build_model.h"
#include "exec/vm/state_layout.h"

#include <pthread.h>

// Statements run both and make a channel, if `run`; else nothing could.
static gy_model *two_templates_run(bool run)
{
    builder *b = b_new();
    b_global(b, "x", GY_INT);
    int32_t p = b_template(b, "P", 2);
    b_local(b, p, "a", GY_INT);
    int32_t q = b_template(b, "Q", 2);
    int32_t c = b_channel_type(b, "c", p, 2, 1, GY_BYTE);
    if (run) {
        b_action(b, b_edge(b, p, 0, 1), GY_A_RUN)->tmpl = p;
        b_action(b, b_edge(b, q, 0, 1), GY_A_RUN)->tmpl = q;
        b_action(b, b_edge(b, q, 0, 1), GY_A_NEW_CHANNEL)->channel_type = c;
    }
    return b_model(b);
}

static gy_model *two_templates(void)
{
    return two_templates_run(true);
}

// A state of this layout, otherwise zero.
static void make_state(const gy_state_layout *layout, gy_word *state)
{
    memset(state, 0, layout->words * sizeof *state);
    state[0] = layout->code;
    for (const gy_state_layout *l = layout; l; l = l->parent)
        if (l->link)
            state[l->link] = l->parent->code;
}

static void offsets(void **state)
{
    (void)state;
    gy_model *model = two_templates();
    gy_state_layouts *shapes = gy_state_layouts_new(model);
    const gy_state_layout *empty = gy_state_layout_empty(shapes);
    assert_int_equal(empty->number, 0);
    assert_int_equal(empty->words, model->global_words);
    const gy_state_layout *p = gy_state_layout_push_process(shapes, empty, 0);
    const gy_state_layout *pc = gy_state_layout_push_channel(shapes, p, 0);
    const gy_state_layout *pcq = gy_state_layout_push_process(shapes, pc, 1);
    assert_int_equal(pcq->process_count, 2);
    assert_int_equal(pcq->channel_count, 1);
    assert_int_equal(pcq->process[0].offset, model->global_words);
    assert_int_equal(pcq->channel[0].offset, model->global_words + model->templates[0].words);
    assert_int_equal(pcq->channel[0].creator, 0);
    assert_int_equal(pcq->process[1].offset,
                     pcq->channel[0].offset + model->channel_types[0].words);
    assert_int_equal(pcq->words, pcq->process[1].offset + model->templates[1].words);
    // the same components are the same shape
    assert_ptr_equal(gy_state_layout_push_process(shapes, pc, 1), pcq);
    assert_int_equal(gy_state_layout_count(shapes), 4);
    assert_null(gy_state_layout_find(shapes, (gy_word[100]){1000}, pcq->words));
    gy_state_layouts_free(shapes);
    gy_model_free(model);
}

static void death_takes_younger_channels(void **state)
{
    (void)state;
    gy_model *model = two_templates();
    gy_state_layouts *shapes = gy_state_layouts_new(model);
    const gy_state_layout *empty = gy_state_layout_empty(shapes);
    const gy_state_layout *global = gy_state_layout_push_channel(shapes, empty, 0);
    assert_int_equal(global->channel[0].creator, -1);
    const gy_state_layout *p = gy_state_layout_push_process(shapes, global, 0);
    const gy_state_layout *with =
        gy_state_layout_push_channel(shapes, gy_state_layout_push_channel(shapes, p, 0), 0);
    assert_ptr_equal(gy_state_layout_pop_process(with), global);
    assert_ptr_equal(gy_state_layout_pop_process(p), global);
    gy_state_layouts_free(shapes);
    gy_model_free(model);
}

enum { THREADS = 4, DEPTH = 200 };
static gy_state_layouts *shared;

static void *push_many(void *out)
{
    const gy_state_layout **found = out;
    const gy_state_layout *shape = gy_state_layout_empty(shared);
    for (int i = 0; i < DEPTH; i++) {
        shape = gy_state_layout_push_process(shared, shape, i % 2);
        found[i] = shape;
        gy_word state[DEPTH * 8];
        make_state(shape, state);
        if (gy_state_layout_find(shared, state, shape->words) != shape)
            return "wrong";
    }
    return NULL;
}

static void check_threads(gy_model *model)
{
    shared = gy_state_layouts_new(model);
    pthread_t threads[THREADS];
    static const gy_state_layout *found[THREADS][DEPTH];
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, push_many, found[t]);
    for (int t = 0; t < THREADS; t++) {
        void *wrong;
        pthread_join(threads[t], &wrong);
        assert_null(wrong);
    }
    for (int t = 1; t < THREADS; t++)
        assert_memory_equal(found[t], found[0], sizeof found[0]);
    assert_int_equal(gy_state_layout_count(shared), DEPTH + 1);
    gy_state_layouts_free(shared);
    gy_model_free(model);
}

static void threads_agree(void **state)
{
    (void)state;
    check_threads(two_templates_run(false));
    check_threads(two_templates_run(true));
}

// A table that has never seen a layout reads it from the words of a state; and whatever words it
// is given, it finds the layout that they are of, or none.
static void read_elsewhere(void **unused)
{
    (void)unused;
    for (int run = 0; run < 2; run++) {
        gy_model *model = two_templates_run(run);
        gy_state_layouts *here = gy_state_layouts_new(model);
        gy_word state[DEPTH * 8];
        uint64_t random = 7;
        uint32_t linked = 0;
        for (int round = 0; round < 300; round++) {
            gy_state_layouts *there = gy_state_layouts_new(model);
            const gy_state_layout *layout = gy_state_layout_empty(here);
            for (int i = round % 90; i > 0; i--) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                uint32_t what = (uint32_t)(random >> 60);
                layout = what < 1 && layout->process_count ? gy_state_layout_pop_process(layout)
                         : what < 2 ? gy_state_layout_push_channel(here, layout, 0)
                                    : gy_state_layout_push_process(here, layout, what % 2);
            }
            make_state(layout, state);
            const gy_state_layout *found = gy_state_layout_find(there, state, layout->words);
            assert_non_null(found);
            assert_int_equal(found->code, layout->code);
            assert_int_equal(found->process_count, layout->process_count);
            for (uint32_t p = 0; p < found->process_count; p++)
                assert_memory_equal(&found->process[p], &layout->process[p],
                                    sizeof found->process[p]);
            assert_int_equal(found->channel_count, layout->channel_count);
            for (uint32_t c = 0; c < found->channel_count; c++)
                assert_memory_equal(&found->channel[c], &layout->channel[c],
                                    sizeof found->channel[c]);
            assert_null(gy_state_layout_find(there, state, layout->words + 1));
            linked += layout->linked != NULL;
            for (int k = 0; k < 20; k++) { // spoilt: another one, or none
                random = random * 6364136223846793005u + 1442695040888963407u;
                make_state(layout, state);
                state[k % 2 ? 0 : (random >> 33) % layout->words] = (gy_word)(random >> 20);
                found = gy_state_layout_find(there, state, layout->words);
                assert_true(!found || gy_state_layout_fits(found, state, layout->words));
            }
            gy_state_layouts_free(there);
        }
        assert_true(linked > 50);
        gy_state_layouts_free(here);
        gy_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets),
        cmocka_unit_test(death_takes_younger_channels),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(read_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

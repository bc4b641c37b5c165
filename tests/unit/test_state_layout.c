// Shapes: offsets, going back, limits of what is remembered, and many threads at once.
#include "visiting.h"

#include "build_model.h"
#include "exec/vm/state_layout.h"

#include <pthread.h>

static gy_model *two_templates(void)
{
    builder *b = b_new();
    b_global(b, "x", GY_INT);
    int32_t p = b_template(b, "P", 2);
    b_local(b, p, "a", GY_INT);
    b_template(b, "Q", 2);
    b_channel_type(b, "c", p, 2, 1, GY_BYTE);
    return b_model(b);
}

static void offsets(void **state)
{
    (void)state;
    gy_model *model = two_templates();
    gy_state_layouts *shapes = gy_state_layouts_new(model);
    const gy_state_layout *empty = gy_state_layout_empty(shapes);
    assert_int_equal(empty->id, 0);
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
    assert_ptr_equal(gy_state_layout_at(shapes, pcq->id), pcq);
    assert_null(gy_state_layout_at(shapes, 1000));
    assert_int_equal(gy_state_layout_count(shapes), 4);
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
        if (gy_state_layout_at(shared, shape->id) != shape)
            return "wrong";
    }
    return NULL;
}

static void threads_agree(void **state)
{
    (void)state;
    gy_model *model = two_templates();
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets),
        cmocka_unit_test(death_takes_younger_channels),
        cmocka_unit_test(threads_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// See point.h. An edge that goes on in an atomic sequence is examined as in any state, since its
// later steps find other values.
#include "reduce/point.h"

#include <string.h>

static const gy_process_class_member *member_of(const gy_point *point)
{
    return &point->class->members[point->pid];
}

const gy_node *gy_point_node(const gy_point *point)
{
    const gy_process_class_member *member = member_of(point);
    return &member->nodes[point->state[member->offset] & member->pc_mask];
}

static const gy_edge_view *view_of(const gy_point *point, int32_t edge)
{
    const gy_process_class_member *member = member_of(point);
    return &member->instance->edges[edge - member->first_edge];
}

static const gy_edge *edge_of(const gy_point *point, int32_t edge)
{
    return &point->r->model->edges[edge];
}

bool gy_point_meets(const gy_point *point, int32_t edge)
{
    return view_of(point, edge)->always;
}

bool gy_point_may_meet(const gy_point *point)
{
    const gy_node *node = gy_point_node(point);
    for (int32_t k = 0; k < node->edge_count; k++)
        if (gy_point_meets(point, node->first_edge + k))
            return true;
    return false;
}

// The process as it is now; `now` must outlive what is returned.
static gy_who who_now(const gy_point *point, gy_now *now)
{
    gy_who who = member_of(point)->instance->who;
    *now = (gy_now){point->state, point->state + member_of(point)->offset, point->written};
    memset(point->written, 0, point->r->model->var_count);
    who.pid = (int32_t)point->pid;
    who.now = now;
    return who;
}

void gy_point_alone(const gy_point *point, int32_t edge, gy_footprint to)
{
    gy_now now;
    const gy_edge *taken = edge_of(point, edge);
    if (taken->keeps_atomic && taken->to != GY_NONE)
        gy_footprint_add(point->r, to, view_of(point, edge)->chain);
    else
        gy_footprint_first(point->r, who_now(point, &now), taken, to);
}

void gy_point_begin(const gy_point *point, int32_t edge, gy_footprint to)
{
    gy_now now;
    gy_footprint_first(point->r, who_now(point, &now), edge_of(point, edge), to);
    gy_footprint_add(point->r, to, view_of(point, edge)->rest);
}

static void test(const gy_point *point, int32_t edge, gy_footprint to)
{
    gy_now now;
    gy_footprint_test(point->r, who_now(point, &now), edge_of(point, edge), to);
}

void gy_point_take(const gy_point *point, int32_t edge, gy_footprint to)
{
    const gy_node *node = gy_point_node(point);
    gy_point_alone(point, edge, to);
    for (int32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++)
        if (k != edge)
            test(point, k, to);
}

void gy_point_tests(const gy_point *point, gy_footprint to)
{
    const gy_node *node = gy_point_node(point);
    for (int32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++)
        test(point, k, to);
}

void gy_point_wait(const gy_point *point, gy_footprint to)
{
    const gy_node *node = gy_point_node(point);
    for (int32_t k = node->first_edge; k < node->first_edge + node->edge_count; k++) {
        test(point, k, to);
        if (edge_of(point, k)->kind == GY_EDGE_END)
            gy_point_alone(point, k, to);
    }
}

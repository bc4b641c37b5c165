// Sharing: what of a model only one process can notice. Facts for passes that reorder or join
// steps, or that follow the values of a variable.
//
// Needs gy_edge.touches (access.h). What a property reads counts as read by another process.
#ifndef GYRE_MODEL_SHARING_H
#define GYRE_MODEL_SHARING_H

#include "model/model.h"

enum { GY_SEVERAL = -2 };

typedef struct gy_sharing {
    const gy_model *model;
    // By variable: the one template whose instances read (write) it, GY_NONE if nothing does,
    // GY_SEVERAL otherwise. A local that is referred to remotely is read by several.
    int32_t *reader, *writer;
    // By template: how many instances can ever be made, GY_SEVERAL if there is no bound.
    int32_t *instances;
    // By template, by node: another process can notice that an instance is there.
    bool **seen;
    // The control location of every process is noticed (pc_value, enabled, C code …).
    bool all_seen;
} gy_sharing;

// `formulas` are watched, and the model's never claims if `claims`.
gy_sharing *gy_sharing_new(const gy_model *model, const gy_formula *const *formulas, size_t count,
                           bool claims);
void gy_sharing_free(gy_sharing *sharing);

// Nothing but the instance of `tmpl` at hand writes this variable.
bool gy_only_writer(const gy_sharing *sharing, int32_t tmpl, int32_t var);
// Nothing but the instance of `tmpl` at hand reads this variable.
bool gy_only_reader(const gy_sharing *sharing, int32_t tmpl, int32_t var);

#endif

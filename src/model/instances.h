// Instances: how many processes of a template there can be, and who starts them.
#ifndef GYRE_MODEL_INSTANCES_H
#define GYRE_MODEL_INSTANCES_H

#include "model/model.h"

// Some `run` starts processes of this template.
bool gy_template_is_started(const gy_model *model, int32_t tmpl);
// At most one process of this template in the whole life of the system.
bool gy_template_is_single(const gy_model *model, int32_t tmpl);
// Processes of this template are started by others than the initial process, so that the values
// of its parameters may differ between two processes with the same pid.
bool gy_template_is_respawned(const gy_model *model, int32_t tmpl);

// The template of the process that an expression for a pid names, if it can be no other one: the
// pid is a constant, and no process is ever started. Else GY_NONE.
int32_t gy_template_of_pid(const gy_model *model, const gy_expr *pid);

// Control may come back to where the edge begins.
bool gy_edge_is_on_cycle(const gy_model *model, const gy_edge *edge);

#endif

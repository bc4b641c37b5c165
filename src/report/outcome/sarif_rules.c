#include "report/outcome/sarif_rules.h"

#include <string.h>

typedef struct rule {
    const char *id, *name, *level;
    const char *brief; // a sentence
    const char *help;  // what it means, and what to do
} rule;

// What is not a fault of a step. The first is for whatever has no rule of its own.
static const rule rules[] = {
    {"model", "Model", "warning", "The model has an error, or something in it is suspicious.",
     "The message says what is wrong at this location. A model with errors cannot be verified."},
    {"invalid-end-state", "InvalidEndState", "error",
     "The model can reach a state in which no process is enabled (a deadlock).",
     "Nothing can be executed, and some process is neither at its end nor at a label that begins "
     "with `end`. The code flow is a run to that state. If the process may wait there for ever, "
     "put "
     "an `end` label there."},
    {"partial-deadlock", "PartialDeadlock", "error",
     "A process can be blocked for ever while others continue.",
     "From the last state of the code flow on, the process is never enabled again."},
    {"acceptance-cycle", "AcceptanceCycle", "error",
     "An infinite run violates the property (an accepting cycle).",
     "The code flow is a run that leads into a cycle; going round it for ever violates the "
     "property. "
     "If the cycle leaves out a process that is always enabled, a fairness assumption may be meant "
     "(--fairness weak)."},
    {"non-progress-cycle", "NonProgressCycle", "error", "An infinite run makes no progress.",
     "The code flow is a run that leads into a cycle without any `progress` label."},
    {"ltl-violation", "FormulaViolated", "error", "A finite run violates the formula.",
     "Whatever follows the last step of the code flow, the formula is false."},
    {"claim-end", "ClaimEnds", "error", "A never claim can come to its end.",
     "The code flow is a run that the claim matches to its end: the behaviour that must never "
     "occur."},
    {"formula-fault", "FormulaFault", "error", "A formula cannot be evaluated in a state.",
     "After the last step of the code flow, an expression of the formula has no value, as an index "
     "outside of its array has none."},
    {"unexpected", "Unexpected", "error", "A property holds that was expected to be violated.",
     "Change what is expected of it (--expect, or the comment `gyre: expect` in the model)."},
    {"inconclusive", "Inconclusive", "warning", "A property has no verdict.",
     "A limit kept the search from an answer. Give it more time or memory, or make the model "
     "smaller."},
    {"unreached", "Unreached", "warning", "A statement is never executed.",
     "No run of the model comes to this statement, and less of the model is reached than was asked "
     "for "
     "(--min-coverage)."},
};

enum { RULE_COUNT = sizeof rules / sizeof *rules };

static json_t *rule_object(const rule *r)
{
    return json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:[s], s:s, s:s}}", "id",
                     r->id, "name", r->name, "shortDescription", "text", r->brief,
                     "fullDescription", "text", r->brief, "help", "text", r->help,
                     "defaultConfiguration", "level", r->level, "properties", "tags", "correctness",
                     "precision", "very-high", "problem.severity", r->level);
}

static const gy_fault_row *faults_of(const gy_outcome *outcome, uint32_t *count)
{
    *count = outcome->fault_count;
    return outcome->faults ? outcome->faults : gy_system_faults(NULL, count);
}

// Several rows may have one name; the first of them has the rule.
static bool is_first(const gy_fault_row *rows, uint32_t at)
{
    for (uint32_t i = 1; i < at; i++)
        if (!strcmp(rows[i].name, rows[at].name))
            return false;
    return true;
}

json_t *gy_sarif_rules(const gy_outcome *outcome)
{
    uint32_t count;
    const gy_fault_row *rows = faults_of(outcome, &count);
    json_t *list = json_array();
    for (int i = 0; i < RULE_COUNT; i++)
        json_array_append_new(list, rule_object(&rules[i]));
    for (uint32_t i = 1; i < count; i++) {
        const gy_fault_row *row = &rows[i];
        rule one = {row->name, row->rule, row->traits & GY_FAULT_IS_NOTE ? "warning" : "error",
                    row->brief, row->help ? row->help : row->brief};
        if (is_first(rows, i))
            json_array_append_new(list, rule_object(&one));
    }
    return list;
}

int gy_sarif_rule_of(const json_t *list, const char *code)
{
    size_t i;
    const json_t *one;
    json_array_foreach(
        (json_t *)list, i,
        one) if (!strcmp(json_string_value(json_object_get(one, "id")), code)) return (int)i;
    return 0;
}

const char *gy_sarif_rule_id(const json_t *list, int at)
{
    return json_string_value(json_object_get(json_array_get(list, (size_t)at), "id"));
}

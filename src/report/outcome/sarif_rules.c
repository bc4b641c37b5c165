#include "report/outcome/sarif_rules.h"

#include <string.h>

typedef struct rule {
    const char *id, *name, *level;
    const char *brief; // a sentence
    const char *help;  // what it means, and what to do
} rule;

#define STATEMENT "The code flow is a run to the statement that fails; the message says why."

// The first is for whatever has no rule of its own.
static const rule rules[] = {
    {"model", "Model", "warning", "The model has an error, or something in it is suspicious.",
     "The message says what is wrong at this place. A model with errors cannot be verified."},
    {"assertion", "AssertionViolated", "error", "An assertion can fail.",
     "Some run of the model comes to this assertion while its condition is false. The code flow is "
     "such a run, step by step."},
    {"invalid-end-state", "InvalidEndState", "error",
     "The model can reach a state in which no process is enabled (a deadlock).",
     "Nothing can be executed, and some process is neither at its end nor at a label that begins "
     "with `end`. The code flow is a run to that state. If the process may wait there for ever, "
     "put "
     "an `end` label there."},
    {"partial-deadlock", "PartialDeadlock", "error",
     "A process can come to wait for ever while others go on.",
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
    {"index-out-of-bounds", "IndexOutOfBounds", "error", "An index can be outside of its array.",
     STATEMENT},
    {"division-by-zero", "DivisionByZero", "error", "A division by zero can be executed.",
     STATEMENT},
    {"out-of-range", "OutOfRange", "error", "A value can leave the range that it must keep to.",
     STATEMENT},
    {"uninitialised-channel", "UninitialisedChannel", "error",
     "A channel can be used before it exists.",
     "The code flow is a run to the statement that uses it."},
    {"d_step-blocks", "DStepBlocks", "error", "A statement inside of a d_step can block.",
     "A d_step must be executable from its first statement to its last."},
    {"endless-atomic", "EndlessAtomic", "error", "An atomic sequence may never end.",
     "The code flow is a run into the sequence that goes round without end."},
    {"trace-violation", "TraceViolated", "error", "A trace or notrace declaration is violated.",
     "The last step of the code flow is a message that the declaration does not allow."},
    {"too-many-processes", "TooManyProcesses", "error",
     "More processes can be started than there may be.",
     "No more than 255 processes can live at the same time."},
    {"too-many-channels", "TooManyChannels", "error",
     "More channels can be created than there may be.",
     "No more than 255 channels can be there at the same time."},
    {"message-arity", "MessageArity", "error", "A message can have the wrong number of fields.",
     STATEMENT},
    {"bad-remote-reference", "BadRemoteReference", "error",
     "A remote reference can name a process that is not there.", STATEMENT},
    {"d_step-rendezvous", "DStepRendezvous", "error", "A rendezvous can lead into a d_step.",
     STATEMENT},
    {"priority-out-of-range", "PriorityOutOfRange", "error",
     "A priority can be outside of its range.", STATEMENT},
    {"enabled-self", "EnabledSelf", "error", "A process can ask whether it is enabled itself.",
     STATEMENT},
    {"trace-nondeterminism", "TraceNondeterminism", "error",
     "A trace declaration can match a message in several ways.", STATEMENT},
    {"embedded-c", "EmbeddedC", "error", "Embedded C code can fail.", STATEMENT},
    {"exclusive-access", "ExclusiveAccess", "error",
     "A process can use a channel that another has for itself (xr, xs).", STATEMENT},
    {"nothing-to-choose", "NothingToChoose", "error", "A select can have an empty range.",
     STATEMENT},
    {"nondeterminism", "Nondeterminism", "error", "A D_proctype can have a choice.", STATEMENT},
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

json_t *gy_sarif_rules(void)
{
    json_t *list = json_array();
    for (int i = 0; i < RULE_COUNT; i++) {
        const rule *r = &rules[i];
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:s}, s:{s:[s], s:s, s:s}}",
                            "id", r->id, "name", r->name, "shortDescription", "text", r->brief,
                            "fullDescription", "text", r->brief, "help", "text", r->help,
                            "defaultConfiguration", "level", r->level, "properties", "tags",
                            "correctness", "precision", "very-high", "problem.severity", r->level));
    }
    return list;
}

int gy_sarif_rule_of(const char *code)
{
    for (int i = 0; i < RULE_COUNT; i++)
        if (!strcmp(rules[i].id, code))
            return i;
    return 0;
}

const char *gy_sarif_rule_id(int at)
{
    return rules[at].id;
}

// Symmetry: processes that nothing can tell apart may change places.
//
// A process of a template is interchangeable with another of the same template if the template
// does not ask for its pid, nothing examines its processes by number (remote references, enabled(),
// _last, priorities) and they make no channels of their own: then what a process does depends on
// its block alone, whatever the slot. Parameters are part of the block. An array of which every
// element is used by the process of that number only (`a[_pid]` everywhere) belongs to the blocks.
//
// Ending. A process leaves the stack only when it is the youngest, so which of two has ended does
// make a difference: to how many processes there are. If processes of an interchangeable template
// can end, nothing may see that number: no _nr_pr, no remote reference, and what is started later
// has no use for its pid and makes no channels. Then a process that has ended and one that is gone
// are the same to all others, and states with the same living processes have the same future up
// to steps that only remove processes. Two things are left that do depend on the number:
//   - more than 255 processes are a fault. Representatives have ended processes in the oldest
//     places, so that the stack is never lower than in any state that is represented: the fault
//     is not missed. It may be met where there is none: the witness does not stand up to being run
//     again, and the search is repeated without symmetry
//   - the lengths of witnesses: see lift.h
//
// With partial-order reduction: a stubborn set of a representative, with places changed, is a
// stubborn set of each state it stands for; so the reduced system has the same symmetry, and what
// is explored is its quotient (Emerson, Jha, Peled, "Combining partial order and symmetry
// reductions", TACAS 1997). Provisos speak about what is explored. Where processes end, the number
// of steps that are not removals takes the place of the length of a path in the proof.
//
// Owner: gy_symmetry_free, after the workers that fold. The system must outlive it.
#ifndef GYRE_REDUCE_SYMMETRY_H
#define GYRE_REDUCE_SYMMETRY_H

#include "gyre/gyre.h"

typedef struct gy_symmetry {
    struct gy_orbits *orbits; // exec/orbit.h
    uint32_t types;           // interchangeable templates
    bool may_end;             // processes of theirs can end
} gy_symmetry;

// NULL: there is nothing to gain, or it would not be sound; *why (free it) says so.
gy_symmetry *gy_symmetry_new(gy_system *system, char **why);
// The same for somebody who examines these atoms, and how runs go on for ever: places are
// changed only where that changes the value of none of them, and no process that may end changes
// its place (one that has ended and one that is gone are not the same state).
gy_symmetry *gy_symmetry_new_observed(gy_system *system, const gy_atom *observed, uint32_t count,
                                      char **why);
void gy_symmetry_free(gy_symmetry *symmetry);

// From now on, the worker gives one state for each set of states that differ only in who is where.
void gy_symmetry_fold(const gy_symmetry *symmetry, gy_worker *worker);
uint64_t gy_symmetry_folded(const gy_worker *worker); // states that were replaced, so far

// Marks the edges that this worker's states show to be possible although the representatives never
// take them: ends of processes that keep an older place. `reached` may be NULL.
void gy_symmetry_note_ends(const gy_symmetry *symmetry, const gy_worker *worker, uint8_t *reached);

#endif

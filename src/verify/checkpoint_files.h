// Which file belongs to which search of a verification, with --checkpoint and --resume, and what a
// file must have in common with the search that goes on with it.
//
// One search has the file that is named. Of several, the search for errors has that one, and
// property number N of the report has the file with `.N` after its name. What has no file yet when
// a verification goes on begins: the one before ended before it came to it.
#ifndef GYRE_VERIFY_CHECKPOINT_FILES_H
#define GYRE_VERIFY_CHECKPOINT_FILES_H

#include "verify/verification_state.h"

// Beyond what a search sees of its system: capacities, types, C code, and whether messages get
// lost. Of jobs and checkpoints.
uint64_t gy_resuming_variant(const gy_loaded_model *subject, bool symmetry);

// Between two checkpoints, as GYRE_CHECKPOINT in the environment has it; 0: as usual.
double gy_resuming_seconds(void);

// Is there one of the files to go on from, and would no file that is no checkpoint be overwritten?
// False: see the complaint.
bool gy_resuming_probe(gy_verification *driver);

// The file that the search for errors goes on from; NULL: none.
const char *gy_resuming_safety(const gy_verification *driver);

// The files of a property in the options, as long as these are in use.
typedef struct gy_resuming_files {
    char *checkpoint, *resume; // NULL, or for gy_resuming_end to free
} gy_resuming_files;
void gy_resuming_begin(const gy_verification *driver, const gy_property *property,
                       gy_search_options *options, gy_resuming_files *files);
void gy_resuming_end(gy_resuming_files *files);

#endif

// The syntax tree of an IF system.
//
// Owner: everything lives in the arena that if_parse was given. The checker (check/) fills in what
// names stand for and which types things have (fields marked "checker"); lowering notes variables
// and nodes of the model (lower/).
#ifndef GYRE_LANG_IF_READ_IF_AST_H
#define GYRE_LANG_IF_READ_IF_AST_H

#include "lang/common/token_reader.h"
#include "model/model.h"

typedef struct if_expr if_expr;
typedef struct if_symbol if_symbol;
typedef struct if_process if_process;
typedef struct if_route if_route;
typedef struct if_signal if_signal;
typedef struct if_procedure if_procedure;

// ---- types ------------------------------------------------------------------------------------

typedef enum { IF_BOOLEAN, IF_NUMBER, IF_ENUM, IF_PID, IF_ARRAY, IF_RECORD } if_type_kind;

typedef struct if_type {
    if_type_kind kind;
    const char *name;  // as declared; NULL: it has none
    int32_t low, high; // NUMBER: the range; ENUM: 1 .. count; PID: 1 (nil) ..; ARRAY: the indices
    uint32_t count;    // ARRAY: elements; ENUM: members; RECORD: fields
    const struct if_type *item;   // ARRAY
    gy_name *names;               // ENUM, RECORD
    const struct if_type **types; // RECORD
    uint32_t cells;               // the scalars in it
} if_type;

// A type as it is written.
typedef enum { IF_Y_NAME, IF_Y_ENUM, IF_Y_RANGE, IF_Y_ARRAY, IF_Y_RECORD } if_syntax_kind;

typedef struct if_syntax {
    if_syntax_kind kind;
    gy_name name; // NAME
    if_expr *low, *high;
    struct if_syntax *item; // ARRAY
    gy_name *names;         // ENUM, RECORD
    struct if_syntax **types;
    uint32_t count;
} if_syntax;

// ---- expressions ------------------------------------------------------------------------------

typedef enum {
    IF_X_NUMBER, // value
    IF_X_TRUTH,  // value
    IF_X_SELF,
    IF_X_NIL,
    IF_X_NAME,
    IF_X_FIELD,    // a.name
    IF_X_INDEX,    // a[b]
    IF_X_CAST,     // {name}a
    IF_X_UNARY,    // op a
    IF_X_BINARY,   // a op b
    IF_X_COND,     // a ? b : c
    IF_X_ACTIVE,   // active a
    IF_X_AT,       // a@name (formulas)
    IF_X_LENGTH,   // length(a) (formulas)
    IF_X_TEMPORAL, // temporal operator, or one that joins formulas: formula_op
} if_expr_kind;

struct if_expr {
    if_expr_kind kind;
    gy_location place;
    uint32_t length; // bytes to underline
    int32_t value;
    gy_expr_op op;
    gy_formula_op formula_op;
    gy_name name;
    if_expr *a, *b, *c;
    bool in_parentheses;
    bool temporal; // some operator in it is
    // checker
    const if_type *type;
    const if_symbol *symbol;   // NAME
    const if_process *process; // an instance of this process, if that is known; AT, FIELD: of which
    uint32_t field;            // FIELD: its number; AT: of the state
    bool remote;               // FIELD: a variable of another process
    bool constant;             // value is its value
};

typedef struct if_exprs {
    if_expr **at;
    uint32_t count;
} if_exprs;

// ---- statements -------------------------------------------------------------------------------

typedef struct if_statement if_statement;

typedef struct if_block {
    if_statement **at;
    uint32_t count;
    bool waits; // checker: there is an output in it
} if_block;

typedef enum {
    IF_S_SKIP,
    IF_S_INFORMAL,
    IF_S_ASSIGN, // target := value
    IF_S_OUTPUT, // name(args) via to
    IF_S_CALL,   // [target :=] name(args)
    IF_S_FORK,   // dito
    IF_S_KILL,   // value
    IF_S_IF,     // value, first, second
    IF_S_WHILE,  // value, first
    IF_S_RETURN, // [value]
} if_statement_kind;

struct if_statement {
    if_statement_kind kind;
    gy_location place;
    uint32_t length; // of its first word
    gy_name name;
    const char *text; // INFORMAL: with its quotes
    if_expr *target, *value, *via, *to;
    if_exprs args;
    if_block first, second;
    // checker
    const if_signal *signal;
    const if_route *route; // OUTPUT: NULL: directly to an instance
    int32_t route_number;  // which instance of it
    if_procedure *procedure;
    const if_process *process; // FORK; KILL, OUTPUT: NULL: an instance of any
};

// ---- declarations -----------------------------------------------------------------------------

typedef enum {
    IF_D_CONST,
    IF_D_TYPE,
    IF_D_VAR,
    IF_D_MEMBER, // of an enumeration
    IF_D_SIGNAL,
    IF_D_ROUTE,
    IF_D_PROCESS,
    IF_D_PROCEDURE,
} if_symbol_kind;

typedef enum { IF_PARAM_IN, IF_PARAM_INOUT, IF_PARAM_OUT } if_direction;

struct if_symbol {
    if_symbol_kind kind;
    gy_name name;
    if_syntax *syntax; // TYPE, VAR
    if_expr *value;    // CONST, VAR: or NULL
    bool is_public;
    if_direction direction;
    const if_process *process; // whose variable it is; NULL: of the system, or a procedure's
    if_procedure *procedure;   // whose variable it is; PROCEDURE: itself
    if_signal *signal;
    if_route *route;
    if_process *itself; // PROCESS
    // checker
    int resolved; // 1: at it, 2: done
    const if_type *type;
    int32_t number;         // CONST, MEMBER: its value; VAR: its position among those of its owner
    struct if_store *store; // lowering: VAR of the system or of a procedure
};

typedef struct if_symbols {
    if_symbol **at;
    uint32_t count;
} if_symbols;

struct if_signal {
    gy_name name;
    if_syntax **params;
    uint32_t count;
    // checker
    const if_type **types;
    int32_t number; // from 1
    uint32_t cells;
    bool converted;         // some input stores it into something narrower
    uint32_t *slots;        // lowering: which field of a message each cell is in
    struct if_store **room; // lowering: where such an input puts what it has received
};

struct if_route {
    gy_name name;
    if_expr *number;
    if_expr *size; // of the buffer, #multiset
    bool multiset, lossy, multicast, peer;
    gy_name from, to; // name "": env
    gy_name *signals;
    uint32_t signal_count;
    // checker
    int32_t instances, capacity;
    const if_process *source, *target; // NULL: env
    const if_signal **carries;
    uint32_t first; // lowering: of its buffers
};

struct if_procedure {
    gy_name name;
    if_symbols vars; // parameters first
    uint32_t param_count;
    if_syntax *returns; // or NULL
    if_block body;
    // checker
    if_symbol *result; // a variable for what it returns
    const if_process *process;
    int checked; // 1: at it, 2: done
    bool good;   // its parameters, variables and result have types
};

typedef struct if_transition {
    gy_location place;
    if_expr *provided; // or NULL
    bool has_input;
    gy_name input;
    if_exprs inputs;
    if_block body;
    bool stops;
    gy_name target; // "-": the same state
    // checker
    const if_signal *signal;
    uint32_t target_number;
} if_transition;

typedef struct if_state {
    gy_name name;
    bool start, unstable;
    if_transition **transitions;
    uint32_t count;
} if_state;

struct if_process {
    gy_name name;
    if_expr *number, *most, *queue; // instances at the start, at most; length of their queues
    if_symbols symbols;             // all that is declared inside
    if_symbols vars;                // parameters first
    uint32_t param_count;
    if_state *states;
    uint32_t state_count;
    // checker
    int32_t initial_count, most_count, capacity;
    uint32_t start;
    bool forked, killed, stops;
    // lowering
    uint32_t first; // of its instances
};

typedef struct if_system {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    gy_name name;
    if_symbols symbols; // of the whole system, in the order of declaration
    if_process **processes;
    uint32_t process_count;
    if_route **routes;
    uint32_t route_count;
    if_signal **signals;
    uint32_t signal_count;
    if_procedure **procedures; // those of processes, too
    uint32_t procedure_count;
    // checker
    const if_type *boolean, *integer, *pid;
    bool kills_any; // some `kill` may hit an instance of any process
    struct if_lowering *lowering;
} if_system;

// Reads file number `file` of the sources. What was understood is there, whatever errors there
// were.
if_system *if_parse(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t file);
// A formula or predicate; NULL after an error.
if_expr *if_parse_text(if_system *system, const char *text, bool temporal);

// As a person would write it (read/if_text.c).
void if_expr_text(const if_expr *expr, gy_text *out);
void if_statement_text(const if_statement *statement, gy_text *out);

#endif

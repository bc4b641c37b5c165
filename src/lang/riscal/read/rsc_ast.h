// The syntax tree of a RISCAL file.
//
// Owner: everything lives in the arena that rsc_read was given. The checker (check/) fills in what
// names stand for and which types expressions have; lowering notes values and variables of the
// model in the symbols.
#ifndef GYRE_LANG_RISCAL_READ_RSC_AST_H
#define GYRE_LANG_RISCAL_READ_RSC_AST_H

#include "lang/common/token_reader.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct rsc_expr rsc_expr;
typedef struct rsc_symbol rsc_symbol;

// ---- types as they are written --------------------------------------------------------------

typedef enum {
    RSC_Y_BOOL,
    RSC_Y_NAT,    // [low]: 0 .. low
    RSC_Y_INT,    // [low, high]
    RSC_Y_ARRAY,  // [low, item]
    RSC_Y_MAP,    // [key, item]
    RSC_Y_SET,    // [item]
    RSC_Y_TUPLE,  // [items]
    RSC_Y_RECORD, // [names : items]
    RSC_Y_NAME,
} rsc_syntax_kind;

typedef struct rsc_syntax { // the text of a type
    rsc_syntax_kind kind;
    gy_location place;
    uint32_t length;
    rsc_expr *low, *high; // NAT without brackets: NULL
    struct rsc_syntax *key, *item;
    struct rsc_syntax **items;
    gy_name *names;
    uint32_t count;
    const char *name;
    const struct rsc_type *type; // once found
} rsc_syntax;

// ---- expressions ----------------------------------------------------------------------------

typedef enum {
    RSC_X_NUMBER,
    RSC_X_BOOL,
    RSC_X_NAME,
    RSC_X_CALL,       // name (args)
    RSC_X_ENUM,       // name!member
    RSC_X_FILL,       // Array[n,T](a), Map[K,V](a): of type `syntax`
    RSC_X_EMPTY,      // the empty set of type `syntax`
    RSC_X_SET_LIST,   // { args }
    RSC_X_TUPLE,      // ⟨ args ⟩
    RSC_X_RECORD,     // ⟨ names : args ⟩
    RSC_X_SIZE,       // | a |
    RSC_X_INDEX,      // a[b]
    RSC_X_FIELD,      // a.member
    RSC_X_ITEM,       // a.value
    RSC_X_WITH_INDEX, // a with [b] = c
    RSC_X_WITH_FIELD, // a with .member = c
    RSC_X_WITH_ITEM,  // a with .value = c
    RSC_X_POWERSET,   // Set(a)
    RSC_X_NEG,        // a
    RSC_X_NOT,
    RSC_X_POWER, // a, b
    RSC_X_MUL,
    RSC_X_DIV,
    RSC_X_MOD,
    RSC_X_ADD,
    RSC_X_SUB,
    RSC_X_RANGE, // a..b
    RSC_X_UNION,
    RSC_X_INTERSECT,
    RSC_X_WITHOUT,
    RSC_X_TIMES,
    RSC_X_EQ,
    RSC_X_NE,
    RSC_X_LT,
    RSC_X_LE,
    RSC_X_GT,
    RSC_X_GE,
    RSC_X_IN,
    RSC_X_NOTIN,
    RSC_X_SUBSET,
    RSC_X_AND,
    RSC_X_OR,
    RSC_X_IMPLIES,
    RSC_X_EQUIV,
    RSC_X_IF,     // a, b, c
    RSC_X_FORALL, // bound; a
    RSC_X_EXISTS,
    RSC_X_SUM,
    RSC_X_MIN,
    RSC_X_MAX,
    RSC_X_PRODUCT,
    RSC_X_COUNT,     // # bound
    RSC_X_SET_BUILD, // { a | bound }
    RSC_X_CHOOSE,    // choose bound
    RSC_X_LET,       // let bound->vars[i] = args[i] in a
    // formulas only
    RSC_X_STATE, // ⟦ a ⟧
    RSC_X_ALWAYS,
    RSC_X_EVENTUALLY,
    RSC_X_NEXT,
    RSC_X_UNTIL, // a, b
    RSC_X_RELEASE,
    RSC_X_WEAK_UNTIL,
} rsc_expr_kind;

typedef struct rsc_bound_var {
    gy_name name;
    rsc_syntax *type; // x : T
    rsc_expr *set;    // x ∈ S
    rsc_symbol *symbol;
} rsc_bound_var;

// x1:T1, x2:T2 with F
typedef struct rsc_bound {
    rsc_bound_var *vars;
    uint32_t count;
    rsc_expr *with; // or NULL
} rsc_bound;

struct rsc_expr {
    rsc_expr_kind kind;
    gy_location place; // of the operator, or of the operand itself
    uint32_t length;   // to underline
    int32_t value;
    const char *name, *member;
    gy_location member_place;
    rsc_expr *a, *b, *c;
    rsc_expr **args;
    gy_name *names;
    uint32_t count; // of args
    rsc_syntax *syntax;
    rsc_bound *bound;
    // found by the checker
    const struct rsc_type *type;
    rsc_symbol *symbol;
    bool temporal; // has temporal operators
};

// ---- commands -------------------------------------------------------------------------------

typedef enum {
    RSC_C_EMPTY,
    RSC_C_ASSIGN, // target := value
    RSC_C_VAR,    // var or val name : type = value
    RSC_C_ASSERT, // value
    RSC_C_CHOOSE, // choose bound; [then first else second]
    RSC_C_IF,     // value, first, second
    RSC_C_WHILE,  // value, first
    RSC_C_DO,     // do first while value
    RSC_C_FOR,    // for start; value; step do first
    RSC_C_EACH,   // for bound do first
    RSC_C_BLOCK,  // list
} rsc_command_kind;

typedef struct rsc_command {
    rsc_command_kind kind;
    gy_location place;
    rsc_expr *target, *value;
    gy_name name;
    rsc_syntax *type;
    bool constant; // val
    rsc_bound *bound;
    struct rsc_command *start, *step, *first, *second;
    struct rsc_command **list;
    uint32_t count;
    rsc_symbol *symbol; // VAR
} rsc_command;

// ---- declarations ---------------------------------------------------------------------------

typedef struct rsc_param {
    gy_name name;
    rsc_syntax *type;
    rsc_symbol *symbol;
} rsc_param;

typedef enum { RSC_UNFAIR, RSC_WEAK, RSC_WEAK_ALL, RSC_STRONG, RSC_STRONG_ALL } rsc_fairness;

typedef enum {
    RSC_D_VAL,
    RSC_D_TYPE,
    RSC_D_ENUM,
    RSC_D_FUN, // and predicates
    RSC_D_VAR, // of the system
    RSC_D_INIT,
    RSC_D_ACTION,
    RSC_D_INVARIANT,
    RSC_D_LTL,
} rsc_declaration_kind;

typedef struct rsc_declaration {
    rsc_declaration_kind kind;
    gy_name name;
    rsc_syntax *type;  // VAL, TYPE, VAR, FUN: or NULL
    rsc_expr *value;   // VAL, VAR, FUN, INVARIANT, LTL
    rsc_expr *with;    // TYPE, ACTION, INIT: or NULL
    gy_name *members;  // ENUM
    rsc_param *params; // FUN, ACTION, INIT
    uint32_t count;    // of members, params
    bool is_pred;      // FUN
    bool fair;         // LTL
    rsc_fairness fairness;
    rsc_command *body;
    rsc_symbol *symbol;
    bool bad; // has errors: what depends on it is not reported again
} rsc_declaration;

typedef struct rsc_file {
    gy_arena *arena;
    gy_sources *sources;
    gy_diags *diags;
    rsc_declaration **list; // all, in the order of the text; those of the system after its name
    uint32_t count;
    gy_name system; // name NULL: none
    struct rsc_lowering *lowering;
} rsc_file;

// ---- reading --------------------------------------------------------------------------------

// Parses file number `number` of the sources. Never NULL; after errors (diags) incomplete.
rsc_file *rsc_parse(gy_arena *arena, gy_sources *sources, gy_diags *diags, uint32_t number);
// An expression or formula on its own. NULL after reporting to file->diags.
rsc_expr *rsc_parse_text(rsc_file *file, const char *text, bool temporal);

// As a person would write it; a name that stands for a constant value that is bound (by a
// quantifier outside) is written as that value.
void rsc_expr_text(const rsc_expr *expr, gy_text *out);

#endif

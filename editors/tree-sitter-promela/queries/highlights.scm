; Promela: names for what is to be coloured, as nvim-treesitter, Helix and Emacs know them.

(comment) @comment
(preproc) @preproc
(preproc_left_out) @comment
(string) @string
(character) @character
(number) @number
(constant) @constant.builtin
(type) @type.builtin
(type_identifier) @type

["proctype" "D_proctype" "inline" "typedef" "ltl" "never" "trace" "notrace" "init" "mtype"] @keyword.function
["active" "hidden" "show" "local" "priority" "provided" "of" "xr" "xs" "unsigned"] @keyword
["if" "fi" "::" (else)] @conditional
["do" "od" "for" "in" "select" (break)] @repeat
["goto" "atomic" "d_step" "unless" "run" "return" "assert"] @keyword
["timeout" "np_"] @constant.builtin
["printf" "printm" "len" "empty" "nempty" "full" "nfull" "enabled" "eval" "pc_value" "get_priority" "set_priority"] @function.builtin
["c_code" "c_expr" "c_decl" "c_state" "c_track"] @keyword

(proctype name: (identifier) @function)
(inline name: (identifier) @function)
(inline parameter: (identifier) @parameter)
(ltl name: (identifier) @function)
(claim name: (identifier) @function)
(typedef name: (identifier) @type)
(mtype (identifier) @constant)
(run process: (identifier) @function)
(call name: (identifier) @function)
(macro_call name: (identifier) @function)
(macro) @constant.macro
(label name: (identifier) @label)
(goto label: (identifier) @label)
(remote name: (identifier) @label)
(variable name: (identifier) @variable)
(member member: (identifier) @property)

((identifier) @variable.builtin (#match? @variable.builtin "^(_|_pid|_last|_nr_pr|_priority)$"))

["->" "!" "!!" "?" "??" "=" "++" "--" "==" "!=" "<" ">" "<=" ">=" "<<" ">>" "+" "-" "*" "/" "%" "&&" "||" "&" "|" "^" "~" ".." "@"] @operator
["[]" "<>" "<->" "U" "W" "V" "R" "M" "X" "G" "F" "always" "eventually" "next" "until" "stronguntil" "weakuntil" "release" "implies" "equivalent" "forall" "exists"] @keyword.operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter

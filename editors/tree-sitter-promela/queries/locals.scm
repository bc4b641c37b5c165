[(proctype) (init) (claim) (inline) (block)] @local.scope
(variable name: (identifier) @local.definition)
(inline parameter: (identifier) @local.definition)
(label name: (identifier) @local.definition)
(identifier) @local.reference

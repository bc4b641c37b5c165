// Promela for tree-sitter.
//
// What a line break means is decided by src/scanner.c: inside a sequence it separates statements, as in Spin. Lines
// of the preprocessor and comments can stand anywhere; macros are taken for what their uses look like. Embedded C is
// text with balanced braces.
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

const PREC = { implies: 1, until: 2, or: 3, and: 4, bitor: 5, xor: 6, bitand: 7, equal: 8, compare: 9, shift: 10, add: 11, times: 12, unary: 13, call: 14 };

const list = (rule) => seq(rule, repeat(seq(",", rule)));

module.exports = grammar({
  name: "promela",
  word: ($) => $.identifier,
  externals: ($) => [$._line_break, $.preproc_left_out],
  extras: ($) => [/\s|\\\r?\n/, $.comment, $.preproc, $.preproc_left_out],
  inline: ($) => [$._separator],
  supertypes: ($) => [$._expression, $._statement],

  rules: {
    model: ($) => repeat(choice($._unit, ";")),

    _unit: ($) => choice($.proctype, $.init, $.claim, $.trace, $.inline, $.ltl, $.typedef, $.mtype, $.declaration, $.c_decl, $.c_code, $.c_state, alias($.call, $.macro_call)),

    comment: () => token(choice(/\/\/([^\\\n]|\\(.|\r?\n))*/, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//)),
    preproc: () => token(seq("#", repeat(choice(/[^\\\n\/]/, /\\(.|\r?\n)/, /\/\*[^*]*\*+([^/*][^*]*\*+)*\//, "/")))),

    // preproc_left_out: from `#if 0` to the directive that ends it, see src/scanner.c

    // ---- units

    proctype: ($) =>
      seq(
        optional(seq("active", optional(seq("[", $._expression, "]")))),
        choice("proctype", "D_proctype"),
        field("name", $.identifier),
        "(", optional($.parameters), ")",
        optional($.priority),
        optional($.provided),
        optional(alias($.identifier, $.macro)),
        field("body", $.block),
      ),
    parameters: ($) => seq($.declaration, repeat(seq(";", $.declaration)), optional(";")),
    priority: ($) => seq("priority", $._operand),
    provided: ($) => seq("provided", "(", $._expression, ")"),
    init: ($) => seq("init", optional($.priority), field("body", $.block)),
    claim: ($) => seq("never", optional(field("name", $.identifier)), field("body", $.block)),
    trace: ($) => seq(choice("trace", "notrace"), optional(field("name", $.identifier)), field("body", $.block)),
    inline: ($) => seq("inline", field("name", $.identifier), "(", optional(list(field("parameter", $.identifier))), ")", field("body", $.block)),
    typedef: ($) => seq("typedef", field("name", $.identifier), "{", repeat(choice($.declaration, ";")), "}"),
    mtype: ($) => seq("mtype", optional(seq(":", field("subtype", $.identifier))), optional("="), "{", list($.identifier), optional(","), "}"),
    ltl: ($) => seq("ltl", optional(field("name", $.identifier)), "{", field("formula", $._formula), optional(";"), "}"),

    // ---- declarations

    declaration: ($) => seq(optional(choice("hidden", "show", "local")), choice(field("type", $._type), seq("unsigned", optional("int"))), $.variable, repeat(seq(",", $.variable))),
    _type: ($) => choice($.type, alias($.identifier, $.type_identifier)),
    type: ($) => choice("bit", "bool", "byte", "pid", "short", "int", "chan", seq("mtype", optional(seq(":", $.identifier)))),
    variable: ($) =>
      seq(
        field("name", $.identifier),
        repeat(choice(seq("[", field("size", $._expression), "]"), seq(":", field("width", choice($.number, $.identifier))))),
        optional(seq("=", field("value", choice($._expression, $.channel, $.values)))),
      ),
    values: ($) => seq("{", list($._expression), "}"),
    channel: ($) => seq("[", $._expression, "]", "of", "{", list(choice($._type, "unsigned")), "}"),
    exclusive: ($) => seq(choice("xr", "xs"), list($._reference)),

    // ---- embedded C

    c_decl: ($) => seq("c_decl", $.c_block),
    c_code: ($) => seq("c_code", optional($.c_condition), $.c_block),
    c_expr: ($) => seq("c_expr", optional($.c_condition), $.c_block),
    c_state: ($) => seq(choice("c_state", "c_track"), repeat1($.string)),
    c_condition: ($) => seq("[", repeat(choice($._c_text, $.c_block, ";", $.c_condition)), "]"),
    c_block: ($) => seq("{", repeat(choice($._c_text, $.c_block, "[", "]", ";")), "}"),
    _c_text: ($) => choice(alias(token(prec(-1, /[^{}\[\];"'\/\s#\\]+/)), $.c_text), "/", "\\", $.string, $.character, alias($.identifier, $.c_text)),

    // ---- sequences

    block: ($) => seq("{", optional($._sequence), "}"),
    _separator: ($) => choice(";", "->", $._line_break),
    // `}`, `else` and labels need no separator behind them.
    _sequence: ($) => choice(repeat1($._separator), seq(repeat($._separator), $._statements)),
    _statements: ($) =>
      choice(
        seq($._statement, optional(seq(repeat1($._separator), optional($._statements)))),
        seq(choice($._closed_statement, $.label, $.else), repeat($._separator), optional($._statements)),
      ),

    _closed_statement: ($) => choice($.atomic, $.d_step, $.for, $.block, $.c_code, $.c_decl, $.unless),
    else: () => "else",
    label: ($) => prec(PREC.call + 1, seq(field("name", $.identifier), ":")), // not the process of P:x

    _statement: ($) =>
      choice(
        $.declaration, $.mtype, $.exclusive, $.assignment, $.step, $.send, $.receive, $.if, $.do, $.select, $.goto, $.break, $.assert, $.printf, $.return,
        alias($._expression, $.condition), $.c_state, alias($.open_unless, $.unless),
      ),

    // The escape of the first kind ends with `}`.
    unless: ($) => prec.right(seq(choice($._statement, $._closed_statement), "unless", $._closed_statement)),
    open_unless: ($) => prec.right(seq(choice($._statement, $._closed_statement), "unless", $._statement)),
    atomic: ($) => seq("atomic", $.block),
    d_step: ($) => seq("d_step", $.block),
    if: ($) => seq("if", repeat1($.option), "fi"),
    do: ($) => seq("do", repeat1($.option), "od"),
    option: ($) => seq("::", optional($._sequence)),
    for: ($) => seq("for", "(", choice($._range, seq(field("variable", $._reference), "in", $._reference)), ")", $.block),
    select: ($) => seq("select", "(", $._range, ")"),
    _range: ($) => seq(field("variable", $._reference), ":", field("from", $._expression), "..", field("to", $._expression)),
    goto: ($) => seq("goto", field("label", $.identifier)),
    break: () => "break",
    return: ($) => prec.right(seq("return", optional($._expression))),
    assert: ($) => seq("assert", $._expression),
    printf: ($) => choice(seq("printf", "(", $.string, repeat(seq(",", $._expression)), ")"), seq("printm", "(", $._expression, ")")),
    assignment: ($) => seq(field("left", $._reference), "=", field("right", choice($._expression, $.channel, $.values))),
    step: ($) => seq($._reference, choice("++", "--")),
    send: ($) => seq(field("channel", $._reference), choice("!", "!!"), $.arguments),
    receive: ($) => seq(field("channel", $._reference), choice("?", "??"), choice($.arguments, seq("<", alias($.copied_arguments, $.arguments), ">"))),
    copied_arguments: ($) => list($._message),
    _message: ($) => choice($._operand, alias($.negative, $.unary)), // no `>` that is not in parentheses
    negative: ($) => seq(field("operator", "-"), $._operand),
    arguments: ($) => choice(list($._expression), seq($.builtin, "(", list($._expression), ")")), // m(a, b), which is m, a, b, looks like a call

    // ---- expressions

    _expression: ($) => choice($._operand, $.unary, $.binary),
    _operand: ($) =>
      choice(
        $._reference, $.number, $.character, $.constant, $.parenthesized, $.poll, $.run, $.builtin, $.remote, $.c_expr, $.string,
        "timeout", "np_",
      ),
    _reference: ($) => choice($.identifier, $.subscript, $.member, $.call), // a macro may stand for a variable
    subscript: ($) => prec(PREC.call, seq($._reference, "[", field("index", $._expression), "]")),
    member: ($) => prec(PREC.call, seq($._reference, ".", field("member", $.identifier))),
    remote: ($) =>
      choice(
        prec.right(PREC.call, seq(field("process", $._reference), "@", field("name", $._reference))),
        prec.right(-1, seq(field("process", $._reference), ":", field("name", $._reference))), // rather the `:` of c -> a : b
      ),
    call: ($) => prec(PREC.call, seq(field("name", $.identifier), "(", optional(list(choice($._expression, $.assignment, $.type))), ")")),
    builtin: ($) =>
      prec(PREC.call, seq(field("name", choice("len", "empty", "nempty", "full", "nfull", "enabled", "eval", "pc_value", "get_priority", "set_priority")), "(", list($._expression), ")")),
    run: ($) => prec.right(seq("run", field("process", $.identifier), "(", optional(list($._expression)), ")", optional($.priority))),
    poll: ($) => prec(PREC.call, seq(field("channel", $._reference), choice("?", "??"), "[", $.arguments, "]")),
    parenthesized: ($) => seq("(", choice($._expression, $.conditional, $.assignment, $.send, $.receive), ")"),
    conditional: ($) => seq($._expression, "->", $._expression, ":", $._expression),
    unary: ($) => prec(PREC.unary, seq(field("operator", choice("!", "-", "~")), $._expression)),
    binary: ($) =>
      choice(
        ...[
          [PREC.or, "||"], [PREC.and, "&&"], [PREC.bitor, "|"], [PREC.xor, "^"], [PREC.bitand, "&"],
          [PREC.equal, choice("==", "!=")], [PREC.compare, choice("<", ">", "<=", ">=")], [PREC.shift, choice("<<", ">>")],
          [PREC.add, choice("+", "-")], [PREC.times, choice("*", "/", "%")],
        ].map(([level, operator]) => prec.left(level, seq(field("left", $._expression), field("operator", operator), field("right", $._expression)))),
      ),

    // ---- formulas

    _formula: ($) => choice($._operand_of_formula, $.temporal_unary, $.temporal_binary),
    _operand_of_formula: ($) =>
      choice($._reference, $.number, $.constant, alias($.formula_parenthesized, $.parenthesized), $.poll, $.builtin, $.remote, $.c_expr, $.quantified, "timeout", "np_"),
    formula_parenthesized: ($) => seq("(", $._formula, optional(seq(":", $._formula)), ")"),
    quantified: ($) => prec.right(-1, seq(choice("forall", "exists"), "(", $._range, ")", $._formula)),
    temporal_unary: ($) => prec(PREC.unary, seq(field("operator", choice("[]", "<>", "!", "-", "~", "X", "G", "F", "always", "eventually", "next")), $._formula)),
    temporal_binary: ($) =>
      choice(
        ...[
          [PREC.implies, choice("->", "<->", "implies", "equivalent")],
          [PREC.until, choice("U", "W", "V", "R", "M", "until", "stronguntil", "weakuntil", "release")],
          [PREC.or, choice("||", "\\/")], [PREC.and, choice("&&", "/\\")], [PREC.bitor, "|"], [PREC.xor, "^"], [PREC.bitand, "&"],
          [PREC.equal, choice("==", "!=")], [PREC.compare, choice("<", ">", "<=", ">=")], [PREC.shift, choice("<<", ">>")],
          [PREC.add, choice("+", "-")], [PREC.times, choice("*", "/", "%")],
        ].map(([level, operator]) => prec.left(level, seq(field("left", $._formula), field("operator", operator), field("right", $._formula)))),
      ),

    // ---- words

    constant: () => choice("true", "false", "skip"),
    identifier: () => /[A-Za-z_][A-Za-z_0-9]*/,
    number: () => /[0-9]+/,
    character: () => /'(\\.|[^'\\\n])'/,
    string: () => /"(\\(.|\r?\n)|[^"\\\n])*"/,
  },
});

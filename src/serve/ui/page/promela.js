// Colours for Promela (and, by the same words, for most of DVE and IF).
import { StreamLanguage } from "./codemirror.js";

const words = text => new Set(text.split(" "));
const keywords = words("active assert atomic break d_step do else fi for goto if in init inline ltl never notrace od of " +
  "printf printm priority proctype provided run select skip timeout trace typedef unless hidden show local return " +
  "process state trans guard effect sync system async commit channel property c_code c_decl c_expr c_state c_track");
const types = words("bit bool byte chan int mtype pid short unsigned integer boolean");
const atoms = words("true false _ _pid _last _nr_pr np_ STDIN");
const functions = words("len empty nempty full nfull eval enabled pc_value get_priority set_priority xr xs always " +
  "eventually until weakuntil implies equivalent release next");

export const promela = StreamLanguage.define({
  name: "promela",
  startState: () => ({ comment: false, depth: 0 }), // depth: of braces, do and if
  copyState: state => ({ ...state }),
  token(stream, state) {
    if (state.comment) {
      if (stream.match(/.*?\*\//)) state.comment = false; else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) { stream.skipToEnd(); return "comment"; }
    if (stream.match("/*")) { state.comment = true; return "comment"; }
    if (stream.sol() && stream.match(/#\s*\w+/)) return "meta";
    if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/'(?:[^'\\]|\\.)'/)) return "string";
    if (stream.match(/\d+/)) return "number";
    const word = stream.match(/[A-Za-z_]\w*/);
    if (word) {
      const w = word[0];
      if (w === "do" || w === "if") state.depth++;
      if (w === "od" || w === "fi") state.depth = Math.max(0, state.depth - 1);
      if (keywords.has(w)) return "keyword";
      if (types.has(w)) return "typeName";
      if (atoms.has(w)) return "atom";
      if (functions.has(w)) return "variableName.standard";
      return stream.match(/^\s*:(?!:)/, false) ? "labelName" : "variableName";
    }
    if (stream.match(/::|->|<->|\[\]|<>|[-+*/%=<>!&|^~?]+/)) return "operator";
    const c = stream.next();
    if (c === "{") state.depth++;
    if (c === "}") state.depth = Math.max(0, state.depth - 1);
    return null;
  },
  indent: (state, after, context) => state.comment ? null : Math.max(0, state.depth - (/^(\}|::|od\b|fi\b)/.test(after) ? 1 : 0)) * context.unit,
  languageData: { indentOnInput: /^\s*(\}|::|od|fi)$/, commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
});

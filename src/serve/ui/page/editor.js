// The editor: CodeMirror with the marks that Gyre makes in a text (problems, coverage, where processes are).
import {
  Decoration, EditorState, EditorView, GutterMarker, HighlightStyle, RangeSetBuilder, StateEffect, StateField,
  autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, completeAnyWord, completionKeymap, defaultKeymap,
  drawSelection, dropCursor, foldGutter, foldKeymap, gutter, highlightActiveLine, highlightActiveLineGutter,
  highlightSelectionMatches, highlightSpecialChars, history, historyKeymap, indentOnInput, indentUnit, indentWithTab,
  keymap, lineNumbers, lintKeymap, searchKeymap, setDiagnostics, syntaxHighlighting, tags,
} from "./codemirror.js";
import { promela } from "./promela.js";

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" }, { tag: tags.typeName, class: "tok-type" },
  { tag: tags.comment, class: "tok-comment" }, { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" }, { tag: tags.atom, class: "tok-number" },
  { tag: tags.meta, class: "tok-meta" }, { tag: tags.labelName, class: "tok-label" },
  { tag: tags.standard(tags.variableName), class: "tok-type" },
]);

// Lines that are marked: {now: line, places: Map(line -> [pid])} of a walk, Map(line -> {kind, text}) of coverage.
const setWalk = StateEffect.define(), setCovered = StateEffect.define();

const walkField = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setWalk)) value = effect.value;
    return transaction.docChanged ? null : value;
  },
  provide: field => EditorView.decorations.compute([field], state => {
    const walk = state.field(field), builder = new RangeSetBuilder();
    if (walk && walk.now > 0 && walk.now <= state.doc.lines) {
      const from = state.doc.line(walk.now).from;
      builder.add(from, from, Decoration.line({ class: "cm-now" }));
    }
    return builder.finish();
  }),
});
const coveredField = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setCovered)) value = effect.value;
    return transaction.docChanged ? null : value;
  },
});

class Label extends GutterMarker {
  constructor(text, cls, title) { super(); this.text = text; this.cls = cls; this.title = title; }
  eq(other) { return other.text === this.text && other.cls === this.cls && other.title === this.title; }
  toDOM() {
    const element = document.createElement("span");
    element.className = this.cls; element.textContent = this.text; element.title = this.title;
    return element;
  }
}
const placesGutter = gutter({
  class: "cm-places",
  lineMarker(view, line) {
    const walk = view.state.field(walkField), pids = walk && walk.places.get(view.state.doc.lineAt(line.from).number);
    return pids ? new Label("▸" + pids.join(","), "cm-place", "process " + pids.join(", ") + " is here") : null;
  },
  lineMarkerChange: update => update.startState.field(walkField) !== update.state.field(walkField),
  initialSpacer: () => new Label("▸0,1", "cm-place", ""),
});
const coverageGutter = gutter({
  class: "cm-coverage",
  lineMarker(view, line) {
    const covered = view.state.field(coveredField), mark = covered && covered.get(view.state.doc.lineAt(line.from).number);
    return mark ? new Label("", "cm-covered cm-" + mark.kind, mark.text) : null;
  },
  lineMarkerChange: update => update.startState.field(coveredField) !== update.state.field(coveredField),
});

// Columns of diagnostics count bytes, those of the editor UTF-16 units.
function offset(line, column) {
  const wanted = Math.max(0, column - 1), text = line.text;
  if (/^[\x00-\x7f]*$/.test(text)) return line.from + Math.min(wanted, text.length);
  const encoder = new TextEncoder();
  let bytes = 0, at = 0;
  for (const c of text) { if (bytes >= wanted) break; bytes += encoder.encode(c).length; at += c.length; }
  return line.from + at;
}

export class Editor {
  /** `keys`: of the page; they come before those of the editor. */
  constructor(parent, { changed, keys, leave }) {
    this.quiet = false;
    this.extensions = [
      EditorView.cspNonce.of(document.documentElement.dataset.nonce),
      lineNumbers(), placesGutter, coverageGutter, highlightActiveLineGutter(), highlightSpecialChars(), history(), foldGutter(),
      drawSelection(), dropCursor(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(),
      highlightSelectionMatches(), autocompletion({ override: [completeAnyWord] }), indentUnit.of("    "), promela,
      syntaxHighlighting(colours), walkField, coveredField, EditorView.contentAttributes.of({ "aria-label": "Text of the model" }),
      keymap.of([...keys, ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap,
        ...foldKeymap, ...lintKeymap, indentWithTab, { key: "Escape", run: () => { leave(); return true; } }]),
      EditorView.updateListener.of(update => { if (update.docChanged && !this.quiet) changed(); }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: this.extensions }) });
  }
  get text() { return this.view.state.doc.toString(); }
  open(text, readonly) {
    this.view.setState(EditorState.create({ doc: text, extensions: [...this.extensions, EditorState.readOnly.of(!!readonly)] }));
  }
  /** Other words for the same file: undo goes back to the old ones. */
  replace(text) {
    this.quiet = true;
    const at = Math.min(this.view.state.selection.main.head, text.length);
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: at } });
    this.quiet = false;
  }
  focus() { this.view.focus(); }
  /** Puts the cursor there. */
  goTo(line, column = 1) {
    const doc = this.view.state.doc, at = offset(doc.line(Math.min(Math.max(1, line), doc.lines)), column);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.focus();
  }
  /** Diagnostics of this file, as `gyre info --json` gives them. */
  problems(list) {
    const doc = this.view.state.doc;
    const found = list.filter(d => d.line >= 1 && d.line <= doc.lines).map(d => {
      const from = offset(doc.line(d.line), d.column || 1);
      let to = d.end_line && d.end_line <= doc.lines ? offset(doc.line(d.end_line), d.end_column || 1) : from;
      if (to <= from) to = Math.min(from + 1, doc.length);
      return { from: Math.min(from, to), to, severity: d.severity === "note" ? "info" : d.severity, message: d.message + (d.hint ? `\n${d.hint}` : "") };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }
  walk(now, places) {
    const effects = [setWalk.of(now === null ? null : { now, places })], doc = this.view.state.doc;
    if (now > 0 && now <= doc.lines) effects.push(EditorView.scrollIntoView(doc.line(now).from, { y: "nearest", yMargin: 60 }));
    this.view.dispatch({ effects });
  }
  coverage(lines) { this.view.dispatch({ effects: setCovered.of(lines) }); }
}

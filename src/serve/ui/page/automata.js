// The automata of the processes. While a counterexample or a simulation is looked at, there is one for each
// process that lives: where it is, and which statement it has just executed.
import { make, plural } from "./dom.js";
import { centre, graph } from "./graph.js";

const key = (process, line, text) => `${process} ${line} ${text}`;

/** hooks: {goTo(line, file), bar(): the buttons that move the counterexample} */
export class Automata {
  constructor(panel, hooks) {
    Object.assign(this, { panel, hooks, chosen: "", unreached: new Set(), info: null, run: null, cards: new Map() });
    this.select = make("select", { "aria-label": "Processes", onchange: () => { this.chosen = this.select.value; this.show(); } });
    this.legend = make("span", { class: "soft" });
    this.head = make("div", { class: "bar" }, this.select, this.legend);
    this.moving = make("div", { class: "moving" });
    this.field = make("div", { class: "automata" });
    this.draw();
  }
  set(info) { this.info = info; this.draw(); }
  cover(coverage) { this.unreached = new Set((coverage ? coverage.unreached : []).map(u => key(u.process, u.line, u.text))); this.draw(); }
  /** run: {state: of walk.js, step: the last one or null, trace: is it a counterexample}; null: nothing is looked at. */
  follow(run) { this.run = run; if (!this.panel.hidden) this.show(); }
  processes() { return this.info ? this.info.processes.filter(p => p.edges.length && p.kind !== "never") : []; }
  draw() {
    this.cards.clear();
    if (!this.processes().length) {
      this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No automata."), make("p", { class: "soft" }, "They are drawn as soon as the model has no errors.")));
      return;
    }
    this.panel.replaceChildren(this.head, this.moving, this.field);
    if (!this.panel.hidden) this.show();
  }
  // What there is to draw: the processes that live, or else the process types.
  wanted() {
    const types = new Map(this.processes().map(p => [p.name, p]));
    if (!this.run) return [...types.values()].map(type => ({ id: type.name, name: type.name, note: type.kind, type }));
    return [...this.run.state.processes.values()].filter(p => types.has(p.process)).map(p => ({ id: `${p.process}(${p.pid})`, name: `${p.process}(${p.pid})`, note: p.line ? `line ${p.line}` : "", type: types.get(p.process), process: p }));
  }
  show() {
    if (!this.processes().length) return;
    const wanted = this.wanted(), names = wanted.map(w => w.id);
    this.select.replaceChildren(make("option", { value: "" }, this.run ? "all processes" : "all process types"), ...names.map(n => make("option", { value: n }, n)));
    this.select.value = names.includes(this.chosen) ? this.chosen : "";
    this.select.hidden = names.length < 2;
    this.legend.textContent = [this.run ? "" : plural(wanted.reduce((n, w) => n + w.type.edges.length, 0), "statement"), this.unreached.size ? "red, dashed: never executed" : ""].filter(Boolean).join("; ");
    this.moving.replaceChildren(this.run && this.run.trace ? this.hooks.bar() : "");
    const cards = wanted.filter(w => !this.select.value || w.id === this.select.value).map(w => this.card(w));
    const there = [...this.field.children];
    if (cards.length !== there.length || cards.some((c, i) => c !== there[i])) this.field.replaceChildren(...cards);
    wanted.forEach(w => this.mark(w));
  }
  card({ id, name, type }) {
    if (this.cards.has(id)) return this.cards.get(id).element;
    const drawn = this.picture(type), box = make("div", { class: "scroll picture" }, drawn.picture), note = make("span", { class: "soft" });
    const element = make("section", { class: "automaton", "data-process": name }, make("h3", {}, name, " ", note), box);
    this.cards.set(id, { element, box, note, ...drawn });
    return element;
  }
  picture(type) {
    const index = new Map(type.states.map((s, i) => [s.id, i])), missed = e => this.unreached.has(key(type.name, e.line, e.text));
    const nodes = type.states.map(s => ({ text: String(s.id), label: s.label || "", title: `state ${s.id}${s.label ? ` (${s.label})` : ""}, line ${s.line}${s.flags.length ? `: ${s.flags.join(", ")}` : ""}`,
      class: s.flags.map(f => "is-" + f).join(" ") }));
    const edges = type.edges.filter(e => index.has(e.from) && index.has(e.to)).map(e => ({ id: e.id, from: index.get(e.from), to: index.get(e.to), text: e.text, line: e.line, file: e.file,
      title: `line ${e.line}: ${e.text}${missed(e) ? " (never executed)" : ""}`, class: missed(e) ? "unreached" : "" }));
    const drawn = graph(nodes, edges, { starts: [index.get(type.initial)], labels: true, chosen: v => this.hooks.goTo(type.states[v].line, type.states[v].file) });
    drawn.edges.forEach((e, i) => e.addEventListener("click", () => this.hooks.goTo(edges[i].line, edges[i].file)));
    return { ...drawn, index, ids: edges.map(e => e.id) };
  }
  mark({ id, note, process }) {
    const card = this.cards.get(id);
    if (!card) return;
    const { step } = this.run || {}, taken = process && step ? [step, step.partner].filter(a => a && a.pid === process.pid).map(a => a.edge) : [];
    card.note.textContent = note;
    card.element.classList.toggle("moved", taken.length > 0);
    card.edges.forEach((e, i) => e.classList.toggle("passed", taken.includes(card.ids[i])));
    card.nodes.forEach((n, v) => n.classList.toggle("now", !!process && card.index.get(process.state) === v));
    if (process) centre(card.box, card.nodes[card.index.get(process.state)]);
  }
}

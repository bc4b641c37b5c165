// The automata of the processes, the graph of all states of a small model, and coverage by lines.
import { count, make } from "./dom.js";
import { graph } from "./drawing.js";

const key = (process, line, text) => `${process} ${line} ${text}`;

/** The automata, as `gyre info --json` tells them. hooks: {goTo(line, file)} */
export class Automata {
  constructor(panel, hooks) { this.panel = panel; this.hooks = hooks; this.chosen = null; this.unreached = new Set(); this.info = null; this.draw(); }
  set(info) { this.info = info; this.draw(); }
  cover(coverage) { this.unreached = new Set((coverage ? coverage.unreached : []).map(u => key(u.process, u.line, u.text))); this.draw(); }
  draw() {
    const processes = this.info ? this.info.processes.filter(p => p.edges.length) : [];
    if (!processes.length) {
      this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No automata."), make("p", { class: "soft" }, "They are drawn as soon as the model has no errors.")));
      return;
    }
    const process = processes.find(p => p.name === this.chosen) || processes[0];
    const select = make("select", { "aria-label": "Process", onchange: e => { this.chosen = e.target.value; this.draw(); this.panel.querySelector("select").focus(); } },
      ...processes.map(p => make("option", { value: p.name, selected: p === process }, `${p.kind} ${p.name}`)));
    const nodes = process.states.map(s => ({ text: String(s.id), label: s.label || "", title: `state ${s.id}${s.label ? ` (${s.label})` : ""}, line ${s.line}${s.flags.length ? `: ${s.flags.join(", ")}` : ""}`,
      class: s.flags.map(f => "is-" + f).join(" ") }));
    const index = new Map(process.states.map((s, i) => [s.id, i]));
    const edges = process.edges.filter(e => index.has(e.from) && index.has(e.to)).map(e => ({ from: index.get(e.from), to: index.get(e.to), text: e.text,
      title: `line ${e.line}: ${e.text}${this.unreached.has(key(process.name, e.line, e.text)) ? " (never executed)" : ""}`, class: this.unreached.has(key(process.name, e.line, e.text)) ? "unreached" : "", line: e.line, file: e.file }));
    const drawn = graph(nodes, edges, { starts: [index.get(process.initial)], dx: 210, dy: 58, r: 12, labels: true, chosen: v => this.hooks.goTo(process.states[v].line, process.states[v].file) });
    drawn.edges.forEach((e, i) => e && e.addEventListener("click", () => this.hooks.goTo(edges[i].line, edges[i].file)));
    this.panel.replaceChildren(make("div", { class: "bar" }, select, make("span", { class: "soft" }, `${count(process.states.length)} states, ${count(edges.length)} statements`,
      this.unreached.size ? "; dashed: never executed" : "")), make("div", { class: "scroll picture" }, drawn.picture));
  }
}

/** All states, where there are few. hooks: {step(n)} */
export class States {
  constructor(panel, hooks) { this.panel = panel; this.hooks = hooks; this.set(null); }
  set(graphData, path = null) {
    this.graph = graphData || null;
    this.path = path;
    this.drawn = null;
    if (!this.graph) {
      this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No state graph."),
        make("p", { class: "soft" }, "After a verification, all states of a small model are drawn here, with the way that a counterexample takes through them.")));
      return;
    }
    const merged = new Map();
    for (const [a, b, pid, text, fault] of this.graph.edges) {
      const k = `${a} ${b}`, line = `${pid}: ${text}${fault ? " (fails)" : ""}`;
      if (merged.has(k)) merged.get(k).title += "\n" + line; else merged.set(k, { from: a, to: b, text: "", title: line });
    }
    this.edges = [...merged.values()];
    const nodes = this.graph.nodes.map((n, i) => ({ text: String(i), title: n.text.trim() || "(no variables)",
      class: [n.initial && "is-initial", n.end && "is-end", (n.invalid || n.fault) && "is-bad"].filter(Boolean).join(" ") }));
    this.drawn = graph(nodes, this.edges, { starts: this.graph.nodes.map((n, i) => n.initial ? i : -1).filter(i => i >= 0), chosen: v => this.choose(v) });
    this.text = make("pre", { class: "state mono", "aria-live": "polite" });
    this.box = make("div", { class: "scroll picture" }, this.drawn.picture);
    this.panel.replaceChildren(make("div", { class: "bar soft" }, `${count(this.graph.nodes.length)} states, ${count(this.graph.edges.length)} steps, without reductions. ` +
      "Thick: the start; dashed: nothing can move; red: something is wrong."), this.box, this.text);
    this.follow(0);
  }
  choose(v) {
    const first = this.path ? this.path.indexOf(v) : -1, next = this.path ? this.path.indexOf(v, this.at + 1) : -1;
    if (first >= 0) this.hooks.step(next >= 0 ? next : first); else this.tell(v);
  }
  tell(v) {
    const n = this.graph.nodes[v], what = [n.initial && "initial", n.invalid ? "invalid end state" : n.end && "end state", n.fault && "a statement has failed here"].filter(Boolean).join(", ");
    this.text.textContent = `state ${v}${what ? ` (${what})` : ""}\n${n.text.trim()}`;
  }
  follow(at) {
    this.at = at;
    if (!this.drawn) return;
    const on = new Set(this.path || []), steps = new Map(), now = this.path ? this.path[at] : -1;
    if (this.path) for (let i = 1; i < this.path.length; i++) { const k = `${this.path[i - 1]} ${this.path[i]}`; if (!steps.has(k)) steps.set(k, i); }
    this.drawn.nodes.forEach((g, v) => { if (g) { g.classList.toggle("path", on.has(v)); g.classList.toggle("now", v === now); } });
    this.drawn.edges.forEach((g, i) => { if (!g) return; const k = `${this.edges[i].from} ${this.edges[i].to}`;
      g.classList.toggle("path", steps.has(k)); g.classList.toggle("passed", steps.has(k) && steps.get(k) <= at); });
    this.tell(now >= 0 ? now : Math.max(0, this.graph.nodes.findIndex(n => n.initial)));
    if (now >= 0 && this.drawn.nodes[now]) { const inner = this.drawn.nodes[now].getBoundingClientRect(), outer = this.box.getBoundingClientRect();
      if (outer.height) { this.box.scrollTop += inner.top - outer.top - outer.height / 2; this.box.scrollLeft += inner.left - outer.left - outer.width / 2; } }
  }
}

/** Lines of the file with what was executed there: Map(line -> {kind: reached|partly|missed, text}). */
export function coverageOf(info, coverage, file) {
  const lines = new Map();
  if (!info || !coverage) return lines;
  const missed = new Map();
  for (const u of coverage.unreached) if (u.file === file) missed.set(u.line, [...(missed.get(u.line) || []), u.text]);
  const texts = new Map();
  for (const p of info.processes) for (const e of p.edges) if (e.file === file && e.line && p.kind !== "never") texts.set(e.line, (texts.get(e.line) || new Set()).add(e.text));
  for (const [line, all] of texts) {
    const gone = missed.get(line);
    if (!gone) lines.set(line, { kind: "reached", text: "executed" });
    else lines.set(line, { kind: new Set(gone).size < all.size ? "partly" : "missed", text: "never executed: " + gone.join("; ") });
  }
  for (const [line, gone] of missed) if (!lines.has(line)) lines.set(line, { kind: "missed", text: "never executed: " + gone.join("; ") });
  return lines;
}

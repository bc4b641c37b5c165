// The graph of all states, where there are few. What a state is called and what its values are can be
// shown in it, and the statements beside its edges.
import { count, make, plural } from "./dom.js";
import { centre, graph } from "./graph.js";

const FEW_STATES = 30, FEW_STEPS = 60; // more: numbers alone, until somebody asks for more

/** hooks: {step(n): a state of the run was chosen; bar(): buttons that move it, if there are to be some} */
export class States {
  constructor(panel, hooks) { this.panel = panel; this.hooks = hooks; this.set(null); }
  /** path: the states of a run, by their numbers; or null. */
  set(data, path = null) {
    const same = data && this.data === data && !path === !this.path;
    this.data = data || null;
    this.path = path;
    this.at = 0;
    if (!data) {
      this.drawn = null;
      this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No state graph."),
        make("p", { class: "soft" }, "After a verification, all states of a small model are drawn here, with the path of the counterexample.")));
      return;
    }
    if (!same) this.build();
    this.follow(0);
  }
  build() {
    const { nodes, edges } = this.data, merged = new Map();
    for (const [from, to, , text, fault] of edges) {
      const k = `${from} ${to}`, line = `${text}${fault ? " (fails)" : ""}`;
      if (merged.has(k)) { merged.get(k).text += "\n" + line; merged.get(k).title += "\n" + line; } else merged.set(k, { from, to, text: line, title: line });
    }
    this.edges = [...merged.values()];
    const toggle = (id, text, on) => { const box = make("input", { type: "checkbox", id: "states-" + id, checked: on, onchange: () => this.draw() }); return [box, make("label", { class: "toggle" }, box, text)]; };
    const [values, valuesLabel] = toggle("values", "values", nodes.length <= FEW_STATES), [texts, textsLabel] = toggle("texts", "statements", this.edges.length <= FEW_STEPS);
    Object.assign(this, { values, texts, text: make("pre", { class: "state mono", "aria-live": "polite" }), box: make("div", { class: "scroll picture" }) });
    const key = (cls, text) => make("span", { class: "soft key " + cls }, text);
    this.panel.replaceChildren(make("div", { class: "bar keys" }, make("strong", { title: "all states, one statement at a time, without reductions" }, plural(nodes.length, "state"), ", ", plural(edges.length, "step")), valuesLabel, textsLabel,
      key("is-initial", "initial"), key("is-end", "cannot go on"), key("is-bad", "error"), this.path ? key("path", "counterexample") : ""),
      this.path && this.hooks.bar ? this.hooks.bar() : "", this.box, this.text);
    this.draw();
  }
  draw() {
    const { nodes } = this.data;
    const drawnNodes = nodes.map((n, i) => ({ text: String(i), lines: this.values.checked && n.text.trim() ? n.text.trim().split("\n").map(l => l.trim()) : null, title: n.text.trim() || "(no variables)",
      class: [n.initial && "is-initial", n.end && "is-end", (n.invalid || n.fault) && "is-bad"].filter(Boolean).join(" ") }));
    this.drawn = graph(drawnNodes, this.edges, { starts: nodes.map((n, i) => n.initial ? i : -1).filter(i => i >= 0), labels: this.texts.checked, distance: true, chosen: v => this.choose(v) });
    this.box.replaceChildren(this.drawn.picture);
    this.follow(this.at);
  }
  choose(v) {
    const first = this.path ? this.path.indexOf(v) : -1, next = this.path ? this.path.indexOf(v, this.at + 1) : -1;
    if (first >= 0) this.hooks.step(next >= 0 ? next : first); else this.tell(v);
  }
  tell(v) {
    const n = this.data.nodes[v], what = [n.initial && "initial", n.invalid ? "invalid end state" : n.end && "end state", n.fault && "a statement has failed here"].filter(Boolean).join(", ");
    this.text.textContent = `state ${count(v)}${what ? ` (${what})` : ""}\n${n.text.trim()}`;
  }
  follow(at) {
    this.at = at;
    if (!this.drawn) return;
    const on = new Set(this.path || []), steps = new Map(), now = this.path ? this.path[at] : -1;
    if (this.path) for (let i = 1; i < this.path.length; i++) { const k = `${this.path[i - 1]} ${this.path[i]}`; if (!steps.has(k)) steps.set(k, i); }
    this.drawn.nodes.forEach((g, v) => { g.classList.toggle("path", on.has(v)); g.classList.toggle("now", v === now); });
    this.drawn.edges.forEach((g, i) => { const k = `${this.edges[i].from} ${this.edges[i].to}`;
      g.classList.toggle("path", steps.has(k)); g.classList.toggle("passed", steps.has(k) && steps.get(k) <= at); });
    this.tell(now >= 0 ? now : Math.max(0, this.data.nodes.findIndex(n => n.initial)));
    if (now >= 0) centre(this.box, this.drawn.nodes[now]);
  }
}

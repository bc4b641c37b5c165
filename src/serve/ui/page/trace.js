// Walks: the view of steps, values and messages that a counterexample and a simulation share, and the
// stepper through a counterexample.
import { count, keepInView, make } from "./dom.js";
import { sequenceChart } from "./drawing.js";

export const shown = v => v === true ? "true" : v === false ? "false" : v === null || v === undefined ? "" :
  Array.isArray(v) ? "[" + v.map(shown).join(", ") + "]" : String(v);

/** The values of a state, by name. */
export function valuesOf(state) {
  const values = new Map(), channels = new Set((state.channels || []).map(c => c.name));
  const add = (prefix, object) => {
    for (const [name, v] of Object.entries(object || {})) {
      if (!prefix && channels.has(name)) continue; // a channel is told by what is in it
      if (Array.isArray(v)) v.forEach((x, i) => values.set(`${prefix}${name}[${i}]`, shown(x)));
      else values.set(prefix + name, shown(v));
    }
  };
  add("", state.globals);
  for (const c of state.channels || []) values.set(c.name, c.messages.length ? c.messages.join(" ") : "empty");
  for (const p of state.processes || []) add(`${p.process}(${p.pid}):`, p.locals);
  return values;
}

const who = step => `${step.process}(${step.pid})`;

/** Steps, values and messages, side by side. */
export class WalkView {
  constructor({ chosen }) {
    this.steps = make("div", { class: "steps scroll mono", role: "listbox", "aria-label": "Steps", tabindex: 0 });
    this.values = make("tbody");
    this.waits = make("ul", { class: "waits soft" });
    this.chart = make("div", { class: "scroll chart" });
    this.chosen = chosen;
    this.element = make("div", { class: "walk" },
      make("div", { class: "pane" }, make("h3", {}, "Steps"), this.steps),
      make("div", { class: "pane" }, make("h3", {}, "Values"), make("div", { class: "scroll" }, make("table", { class: "values mono" }, this.values), this.waits)),
      make("div", { class: "pane wide" }, make("h3", {}, "Messages"), this.chart));
  }
  /** All steps anew. cycle: before which step the cycle begins; null: there is none. */
  setSteps(steps, cycle = null) {
    const row = (i, ...content) => make("div", { role: "option", "data-step": i, class: i - 1 === cycle ? "cycle" : null, onclick: () => this.chosen(i) },
      make("span", { class: "number" }, String(i)), ...content);
    this.steps.replaceChildren(row(0, make("span", { class: "soft" }, "the initial state")), ...steps.map((s, i) =>
      row(i + 1, make("span", { class: "who" }, who(s)), make("span", { class: s.fault ? "bad" : null }, s.text + (s.partner ? `  → ${who(s.partner)}` : "")),
        s.output ? make("span", { class: "output" }, s.output.join("")) : null)));
    const chart = sequenceChart(steps);
    this.chart.replaceChildren(chart || make("p", { class: "soft empty" }, "no messages"));
  }
  /** Where the walk stands: after `at` steps, with these values, of which some have just changed. */
  show(at, values, changed, waits = []) {
    for (const row of this.steps.children) {
      const now = Number(row.dataset.step) === at;
      row.classList.toggle("now", now);
      row.setAttribute("aria-selected", now);
      if (now) keepInView(this.steps, row);
    }
    this.values.replaceChildren(...[...values].map(([name, value]) =>
      make("tr", { "data-name": name, class: changed.has(name) ? "changed" : null }, make("th", { scope: "row" }, name), make("td", {}, value))));
    this.waits.replaceChildren(...waits.map(w => make("li", {}, w)));
    for (const part of this.chart.querySelectorAll("[data-step]")) part.classList.toggle("future", Number(part.dataset.step) > at);
    const messages = [...this.chart.querySelectorAll("[data-step]")].filter(p => Number(p.dataset.step) <= at);
    if (messages.length) keepInView(this.chart, messages.reduce((a, b) => Number(b.dataset.step) >= Number(a.dataset.step) ? b : a));
  }
}

export const waitsOf = state => (state.processes || []).filter(p => p.waits).map(p => `${who(p)} ${p.waits}`);

// The values before each step are those of the last state, undone step by step.
function unfold(walk) {
  const list = [valuesOf(walk.final || {})];
  for (let i = walk.steps.length - 1; i >= 0; i--) {
    const before = new Map(list[0]);
    for (const c of walk.steps[i].changes || []) if ("old" in c) before.set(c.name, shown(c.old));
    list.unshift(before);
  }
  return list;
}

// Runs in which somebody waits for ever who could move: would fairness exclude them?
function unfairness(u) {
  if (!u || !u.processes || !u.processes.length) return "";
  return `unfair: ${u.processes.join(", ")} could move ${u.always ? "all the time" : "again and again"} but never does` +
    (u.verdict ? `; with fairness ${u.fairness} the verdict is “${u.verdict}”` : "");
}

/** The stepper. hooks: {mark(line, file, places, step), moved(step)} */
export class Trace {
  constructor(panel, hooks) {
    this.panel = panel;
    this.hooks = hooks;
    this.walk = null;
    this.at = 0;
    this.timer = null;
    this.empty();
  }
  empty() {
    this.stop();
    this.walk = null;
    this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No counterexample."),
      make("p", { class: "soft" }, "When a property is violated, the run that violates it is stepped through here.")));
  }
  open(property, walk) {
    this.stop();
    this.walk = walk;
    this.states = unfold(walk);
    this.view = new WalkView({ chosen: n => this.go(n) });
    this.slider = make("input", { type: "range", min: 0, max: walk.steps.length, value: 0, "aria-label": "Step", oninput: e => this.go(Number(e.target.value)) });
    this.where = make("span", { class: "where", role: "status" });
    const button = (id, text, label, f) => make("button", { type: "button", id, "aria-label": label, title: label, onclick: f }, text);
    this.playButton = button("trace-play", "▶▶", "Play (space)", () => this.play());
    const because = [walk.explanation && "because " + walk.explanation, unfairness(walk.unfair)].filter(Boolean).join("; ");
    const kind = walk.kind.replace(/-/g, " ");
    this.panel.replaceChildren(
      make("h2", { id: "trace-title" }, `${property.name}: ${kind}`, make("span", { class: "soft" }, `  ${count(walk.length)} steps${walk.shortest ? ", no shorter run exists" : ""}`)),
      (walk.message || "").replace(/^an? /, "") === kind ? "" : make("p", { class: "violated", id: "trace-message" }, walk.message),
      because ? make("p", { class: "soft" }, because) : "",
      make("div", { class: "bar" }, button("trace-first", "|◀", "First (Home)", () => this.go(0)), button("trace-back", "◀", "Back (←)", () => this.go(this.at - 1)),
        this.playButton, button("trace-next", "▶", "On (→)", () => this.go(this.at + 1)), button("trace-last", "▶|", "Last (End)", () => this.go(walk.steps.length)),
        this.slider, this.where),
      this.view.element);
    this.view.setSteps(walk.steps, walk.cycle_start);
    this.go(0);
  }
  // Where each process is: at the statement that it executes next, or in the end.
  places() {
    const seen = new Map(), byLine = new Map();
    for (const s of this.walk.steps.slice(this.at)) for (const a of s.partner ? [s, s.partner] : [s]) if (!seen.has(a.pid)) seen.set(a.pid, a);
    for (const p of (this.walk.final && this.walk.final.processes) || []) if (!seen.has(p.pid)) seen.set(p.pid, p);
    for (const a of seen.values()) byLine.set(a.line, [...(byLine.get(a.line) || []), a.pid].sort((p, q) => p - q));
    return byLine;
  }
  go(n) {
    if (!this.walk) return;
    const { steps } = this.walk;
    this.at = Math.max(0, Math.min(steps.length, n));
    this.slider.value = this.at;
    this.where.textContent = `step ${this.at} of ${steps.length}`;
    const last = this.at ? steps[this.at - 1] : null;
    this.view.show(this.at, this.states[this.at], new Set(((last && last.changes) || []).map(c => c.name)),
      this.at === steps.length && this.walk.final ? waitsOf(this.walk.final) : []);
    this.hooks.mark(last ? last.line : 0, last && last.file, this.places());
    this.hooks.moved(this.at);
  }
  stop() { clearInterval(this.timer); this.timer = null; if (this.playButton) this.playButton.textContent = "▶▶"; }
  play() {
    if (this.timer) return this.stop();
    if (this.at === this.walk.steps.length) this.go(0);
    this.playButton.textContent = "❚❚";
    this.timer = setInterval(() => { this.go(this.at + 1); if (this.at === this.walk.steps.length) this.stop(); }, 700);
  }
  /** False: not one of its keys. */
  key(key) {
    const keys = { ArrowRight: () => this.go(this.at + 1), ArrowLeft: () => this.go(this.at - 1), Home: () => this.go(0),
      End: () => this.go(this.walk.steps.length), PageDown: () => this.go(this.at + 10), PageUp: () => this.go(this.at - 10), " ": () => this.play() };
    if (!this.walk || !keys[key]) return false;
    keys[key]();
    return true;
  }
}

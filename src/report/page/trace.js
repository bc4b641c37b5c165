// The view of steps, values and messages that a counterexample and a simulation share, and the stepper
// through a counterexample.
import { count, keepInView, make, plural } from "./dom.js";
import { sequenceChart } from "./drawing.js";
import { Walk, groupsOf, linesOf, saidOf } from "./walk.js";

const who = step => `${step.process}(${step.pid})`;

/** Steps, values and messages, side by side. `more`: panes that come before these. */
export class WalkView {
  constructor({ chosen, more = [] }) {
    this.steps = make("div", { class: "steps scroll mono", role: "listbox", "aria-label": "Steps", tabindex: 0 });
    this.values = make("tbody");
    this.waits = make("ul", { class: "waits soft" });
    this.chart = make("div", { class: "scroll chart" });
    this.messages = make("div", { class: "pane wide", hidden: true }, make("h3", {}, "Messages"), this.chart);
    this.chosen = chosen;
    this.element = make("div", { class: "walk" }, ...more,
      make("div", { class: "pane" }, make("h3", {}, "Steps"), this.steps),
      make("div", { class: "pane" }, make("h3", {}, "Values"), make("div", { class: "scroll" }, make("table", { class: "values mono" }, this.values), this.waits)),
      this.messages);
  }
  /** All steps anew. cycle: before which step the cycle begins; null: there is none. */
  setSteps(steps, cycle = null) {
    const row = (i, ...content) => make("div", { role: "option", "data-step": i, class: i - 1 === cycle ? "cycle" : null, onclick: () => this.chosen(i) },
      make("span", { class: "number" }, String(i)), ...content);
    this.steps.replaceChildren(row(0, make("span", { class: "soft" }, "the initial state")), ...steps.map((s, i) =>
      row(i + 1, make("span", { class: "who" }, who(s)), make("span", { class: "what" + (s.fault ? " bad" : "") }, s.text, s.partner ? make("span", { class: "soft" }, `  → ${who(s.partner)}`) : null,
        s.output ? make("span", { class: "output" }, "  " + s.output.join("")) : null),
      make("span", { class: "said" }, saidOf(s).join(", ")))));
    this.steps.style.setProperty("--who", `${Math.min(24, Math.max(8, ...steps.map(s => who(s).length)))}ch`);
    const chart = sequenceChart(steps);
    this.messages.hidden = !chart; // a model without channels needs no empty pane
    this.chart.replaceChildren(...(chart ? [chart] : []));
  }
  /** Where the run stands: after `at` steps, in this state. */
  show(at, state, changes = [], waits = []) {
    for (const row of this.steps.children) {
      const now = Number(row.dataset.step) === at;
      row.classList.toggle("now", now);
      row.setAttribute("aria-selected", now);
      if (now) keepInView(this.steps, row);
    }
    const changed = new Set(changes.map(c => c.to || c.name)), groups = groupsOf(state);
    this.values.replaceChildren(...groups.flatMap(g => [
      g.title ? make("tr", { class: "group" + (changed.has(g.title) ? " changed" : "") }, make("th", { scope: "rowgroup" }, g.title), make("td", {}, g.note)) : null,
      ...g.rows.map(r => make("tr", { "data-name": r.name, class: changed.has(r.name) ? "changed" : null }, make("th", { scope: "row" }, r.label), make("td", {}, r.value)))]).filter(Boolean));
    this.waits.replaceChildren(...waits.map(w => make("li", {}, w)));
    const parts = [...this.chart.querySelectorAll("[data-step]")], past = parts.filter(p => Number(p.dataset.step) <= at);
    for (const part of parts) part.classList.toggle("future", Number(part.dataset.step) > at);
    if (past.length) keepInView(this.chart, past.reduce((a, b) => Number(b.dataset.step) >= Number(a.dataset.step) ? b : a));
  }
}

export const waitsOf = state => [...state.processes.values()].filter(p => p.waits).map(p => `${who(p)} ${p.waits}`);

// Runs in which a process that is enabled never executes: would fairness exclude them?
function unfairness(u) {
  if (!u || !u.processes || !u.processes.length) return "";
  return `unfair cycle: ${u.processes.join(", ")} ${u.processes.length === 1 ? "is" : "are"} ${u.always ? "continuously" : "infinitely often"} enabled but never ${u.processes.length === 1 ? "executes" : "execute"}` +
    (u.verdict ? `; with fairness ${u.fairness} the verdict is “${u.verdict}”` : "");
}

/** The stepper. hooks: {mark(line, file, places), moved(at, state, step)}; more: panes, see WalkView */
export class Trace {
  constructor(panel, hooks, more = []) {
    Object.assign(this, { panel, hooks, more, walk: null, at: 0, timer: null, bars: [] });
    this.empty();
  }
  empty() {
    this.stop();
    this.walk = null;
    this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No counterexample."),
      make("p", { class: "soft" }, "When a property is violated, the run that violates it is stepped through here.")));
  }
  /** Buttons and a slider that move it; as many as are wanted, in any panel. */
  bar(prefix) {
    const button = (id, text, label, f) => make("button", { type: "button", id: `${prefix}-${id}`, "aria-label": label, title: label, onclick: f }, text);
    const slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: e => this.go(Number(e.target.value)) });
    const where = make("span", { class: "where", role: "status" }), play = button("play", "▶▶", "Play (space)", () => this.play());
    this.bars = [...this.bars.filter(b => b.prefix !== prefix), { prefix, slider, where, play }];
    if (this.walk) this.tell();
    return make("div", { class: "bar stepping" }, make("span", { class: "buttons" }, button("first", "|◀", "First (Home)", () => this.go(0)), button("back", "◀", "Back (←)", () => this.go(this.at - 1)),
      play, button("next", "▶", "On (→)", () => this.go(this.at + 1)), button("last", "▶|", "Last (End)", () => this.walk && this.go(this.walk.steps.length))), slider, where);
  }
  open(property, walk) {
    this.stop();
    this.walk = walk;
    this.states = new Walk(walk);
    this.view = new WalkView({ chosen: n => this.go(n), more: this.more });
    const because = [walk.explanation && "because " + walk.explanation, unfairness(walk.unfair)].filter(Boolean).join("; ");
    const kind = walk.kind.replace(/-/g, " "), message = (walk.message || "").replace(/^an? /, "") === kind ? "" : walk.message;
    this.panel.replaceChildren(
      make("h2", { id: "trace-title" }, property.name === kind ? kind : `${property.name}: ${kind}`, make("span", { class: "soft" }, `  ${plural(walk.length, "step")}${walk.shortest ? ", no shorter run exists" : ""}`)),
      property.formula && property.formula !== property.name ? make("p", { class: "mono soft formula" }, property.formula) : "",
      message ? make("p", { class: "violated", id: "trace-message" }, message) : "",
      because ? make("p", { class: "soft", id: "trace-because" }, because) : "",
      walk.cut ? make("p", { class: "inconclusive" }, `${count(walk.steps.length)} of ${plural(walk.length, "step")} are here: ${walk.cut}`) : "",
      this.bar("trace"), this.view.element);
    this.view.setSteps(walk.steps, walk.cycle_start);
    this.go(0);
  }
  go(n) {
    if (!this.walk) return;
    const { steps, final } = this.walk;
    this.at = Math.max(0, Math.min(steps.length, n));
    this.tell();
    const last = this.at ? steps[this.at - 1] : null, state = this.states.at(this.at), file = (last || steps[0] || {}).file;
    const ended = this.at === steps.length && final && !this.walk.cut;
    this.view.show(this.at, state, (last && last.changes) || [], ended ? (final.processes || []).filter(p => p.waits).map(p => `${who(p)} ${p.waits}`) : []);
    this.hooks.mark(last ? last.line : 0, file, linesOf(state, file));
    this.hooks.moved(this.at, state, last);
  }
  tell() {
    const { length } = this.walk.steps;
    for (const { slider, where } of this.bars) {
      slider.max = length;
      slider.value = this.at;
      where.textContent = `step ${this.at} of ${length}`;
    }
  }
  label(text) { for (const b of this.bars) b.play.textContent = text; }
  stop() { clearInterval(this.timer); this.timer = null; this.label("▶▶"); }
  play() {
    if (!this.walk) return;
    if (this.timer) return this.stop();
    if (this.at === this.walk.steps.length) this.go(0);
    this.label("❚❚");
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

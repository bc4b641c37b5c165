// What the model states, with what is known of it: there before anything ran, each to be verified alone.
import { count, make } from "./dom.js";

export const mark = verdict => ({ holds: "✓", violated: "✗", inconclusive: "?", error: "!" })[verdict] || "○";

// What is asked to verify one property alone, instead of what the options say.
const asking = property => property.kind === "safety" ? [["check", "safety"]] : property.kind === "ltl" ? [["check", "liveness"], ["ltl", property.ask || property.name]]
  : [["check", property.kind === "progress" ? "progress" : "liveness"]];

/** hooks: {run(options, name), opened(data, property, walk, n)} */
export class Properties {
  constructor(hooks) {
    Object.assign(this, { hooks, stated: [], asked: [], known: new Map(), busy: false, old: false });
    const head = (text, attributes = {}) => make("th", attributes, text), hidden = text => make("span", { class: "hidden" }, text);
    this.rows = make("tbody");
    this.table = make("table", { class: "properties" }, make("thead", {}, make("tr", {}, head(hidden("verdict")), head("property"), head("states", { class: "number" }), head("transitions", { class: "number" }), head(hidden("what can be done")))), this.rows);
    this.input = make("input", { name: "formula", class: "mono", placeholder: "<> (x == 1)", "aria-label": "A formula of LTL", autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
    this.form = make("form", { class: "bar asking", onsubmit: e => { e.preventDefault(); this.ask(this.input.value.trim()); } }, make("label", { class: "soft" }, "Formula"), this.input, make("button", {}, "Verify formula"));
    this.element = make("section", { "aria-label": "Properties" }, this.table, this.form);
    this.draw();
  }
  /** Another model. */
  forget() { Object.assign(this, { stated: [], asked: [], old: false }); this.known.clear(); this.input.value = ""; this.draw(); }
  /** What `gyre info --json` says of it. */
  set(info) {
    const has = kind => info.processes.some(p => p.kind === kind), flagged = flag => info.processes.some(p => p.kind !== "never" && p.states.some(s => s.flags.includes(flag)));
    this.stated = [{ name: "safety", kind: "safety", text: "assertions, run-time errors, invalid end states" },
      ...info.properties.map(p => ({ name: p.name, kind: p.kind, text: p.text })),
      ...(has("never") ? [{ name: "never", kind: "never", text: "the never claim matches no run" }] : []),
      ...(!has("never") && flagged("accept") ? [{ name: "acceptance", kind: "acceptance", text: "no cycle through an acceptance state" }] : []),
      ...(flagged("progress") ? [{ name: "progress", kind: "progress", text: "no cycle without progress" }] : [])];
    this.draw();
  }
  /** The text has changed since. */
  age() { if (!this.old && this.known.size) { this.old = true; for (const k of this.known.values()) k.old = true; this.draw(); } }
  running(on) { this.busy = on; this.draw(); }
  ask(text) {
    if (!text || this.busy) return;
    if (!this.asked.some(p => p.name === text) && !this.stated.some(p => p.name === text)) this.asked.push({ name: text, kind: "ltl", text: "", ask: text });
    this.draw();
    this.hooks.run(asking({ kind: "ltl", name: text }), text);
  }
  /** What a verification has found. alone: nothing else is known. */
  learn(data, alone) {
    if (alone) this.known.clear();
    this.old = false;
    for (const p of data.report.properties || []) {
      this.known.set(p.name, { p, data, old: false });
      if (![...this.stated, ...this.asked].some(s => s.name === p.name)) this.asked.push({ name: p.name, kind: p.kind, text: "", ask: p.kind === "ltl" && p.formula ? p.formula : null });
    }
    this.draw();
  }
  draw() { this.rows.replaceChildren(...[...this.stated, ...this.asked].map(p => this.row(p))); }
  row(stated) {
    const { p, data, old } = this.known.get(stated.name) || {}, verdict = p ? p.verdict : "unknown";
    const all = p ? p.counterexamples || (p.counterexample ? [p.counterexample] : []) : [];
    const why = !p ? "" : p.counterexample ? p.counterexample.message : p.reason ? p.reason.text : p.vacuous ? "vacuous: whatever the model does" : "";
    const formula = stated.kind === "ltl" && stated.ask ? "" : stated.text;
    const traces = all.map((walk, n) => make("button", { type: "button", class: "trace", onclick: () => this.hooks.opened(data, p, walk, n, true) }, all.length > 1 ? `Trace ${n + 1}` : "Trace"));
    const number = (value, label) => make("td", { class: "number", "data-label": label }, p ? count(value) : "");
    return make("tr", { "data-property": stated.name, class: old ? "old" : null, title: old ? "of the text before it was changed" : null },
      make("td", { class: verdict, title: p ? verdict : "not verified yet" }, mark(verdict)),
      make("td", {}, make("strong", { class: stated.ask ? "mono" : null }, stated.name), make("span", { class: "soft" }, "  ", [stated.kind === stated.name ? "" : stated.kind, p ? "" : "not verified yet"].filter(Boolean).join(", ")),
        formula ? make("div", { class: "soft " + (stated.kind === "ltl" ? "mono" : "") }, formula) : "", why ? make("div", { class: `why ${verdict}` }, why) : "", old ? make("div", { class: "why" }, "the text was changed since") : ""),
      number(p && p.states, "states"), number(p && p.transitions, "transitions"),
      make("td", { class: "buttons" }, ...traces, make("button", { type: "button", class: "run", disabled: this.busy, "aria-label": `Verify ${stated.name}`, onclick: () => this.hooks.run(asking(stated), stated.name) }, "Verify")));
  }
}

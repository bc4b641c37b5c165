// A simulation by hand: choose a step, undo, go on at random. The server's child does the walking.
import { make, plural } from "./dom.js";
import { Refusal, post } from "./server.js";
import { WalkView, waitsOf } from "./trace.js";
import { linesOf, stateOf } from "./walk.js";

const ENDINGS = { fault: "a run-time error, or a failed assertion, here", "invalid-end-state": "invalid end state: no process can move", "end-state": "a valid end state",
  finished: "all processes have ended" };

/** hooks: {start(), mark(line, file, places), moved(state, step), tell(error)} */
export class Simulation {
  constructor(panel, hooks) {
    this.panel = panel;
    this.hooks = hooks;
    this.id = null;
    this.empty();
  }
  empty() {
    this.id = this.now = null;
    this.steps = [];
    this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No simulation."),
      make("p", { class: "soft" }, "Step through the model."),
      make("p", {}, make("button", { type: "button", class: "primary", onclick: () => this.hooks.start() }, "Simulate"))));
  }
  leave() {
    if (this.id !== null) post("leave", {}, { id: this.id }).catch(() => {});
    this.empty();
  }
  async start(name, defines) {
    this.leave();
    let reply;
    try {
      reply = await post("sim", { name, defines });
    } catch (error) { return this.hooks.tell(error); }
    if (!reply.answer.reply) return this.hooks.tell(new Refusal(0, reply.answer.diagnostics.map(d => d.message).join("; ")));
    this.id = reply.id;
    this.build();
    this.show(reply.answer);
    this.panel.querySelector("button").focus();
  }
  build() {
    this.view = new WalkView({ chosen: n => this.ask({ do: "jump", step: n }) });
    this.choices = make("ol", { class: "choices", "aria-label": "Next step" });
    this.where = make("span", { class: "where", role: "status" });
    this.buttons = {};
    const button = (id, text, title, request) => this.buttons[id] =
      make("button", { type: "button", id: "sim-" + id, title, onclick: () => this.ask(request) }, text);
    this.watch = make("input", { type: "text", placeholder: "watch an expression", "aria-label": "Watch an expression", class: "mono" });
    this.watches = make("dl", { class: "watches mono" });
    this.panel.replaceChildren(
      make("div", { class: "bar" }, button("restart", "Restart", "Back to the start (Home)", { do: "restart" }), button("undo", "◀ Undo", "Undo (←)", { do: "undo" }),
        button("forward", "▶", "Redo, or the only step (→)", { do: "forward" }), button("random", "Random", "A random step (space)", { do: "random" }),
        button("ten", "×10", "Ten random steps", { do: "random", steps: 10 }), button("run", "Run", "On while there is one choice only (End)", { do: "run" }), this.where),
      make("div", { class: "pane" }, make("h3", {}, "Next step"), this.choices),
      this.view.element,
      make("form", { class: "bar", onsubmit: e => { e.preventDefault(); if (this.watch.value.trim()) this.ask({ do: "watch", expression: this.watch.value.trim() }); this.watch.value = ""; } },
        this.watch, make("button", {}, "Watch"), this.watches));
  }
  async ask(request) {
    if (this.id === null || this.asking) return;
    this.asking = true;
    try {
      const { answer } = await post("ask", request, { id: this.id });
      this.show(answer);
      if (!answer.ok && !["start", "end"].includes(answer.error.code)) this.hooks.tell(new Refusal(0, answer.error.message));
    } catch (error) {
      if (error.status === 410) this.empty();
      this.hooks.tell(error);
    }
    this.asking = false;
  }
  show(answer) {
    const kept = answer.step - answer.taken.length, { state } = answer;
    this.steps = [...this.steps.slice(0, kept), ...answer.taken];
    this.view.setSteps(this.steps);
    const last = this.steps[this.steps.length - 1];
    const now = stateOf(state);
    this.view.show(answer.step, now, (last && last.changes) || [], waitsOf(now));
    this.where.textContent = plural(answer.step, "step") + (ENDINGS[state.ending] ? `: ${ENDINGS[state.ending]}` : "");
    this.where.className = "where" + (["fault", "invalid-end-state"].includes(state.ending) ? " violated" : "");
    this.buttons.undo.disabled = this.buttons.restart.disabled = answer.step === 0;
    this.buttons.forward.disabled = !(answer.ahead || answer.choices.length === 1);
    for (const id of ["random", "ten", "run"]) this.buttons[id].disabled = !answer.choices.length;
    this.choices.replaceChildren(...answer.choices.map(c => make("li", {}, make("button", { type: "button", class: "choice mono", "data-choice": c.choice,
      onclick: () => this.ask({ do: "choose", choice: c.choice }) }, make("span", { class: "who" }, `${c.process}(${c.pid})`), c.text,
    c.partner ? make("span", { class: "soft" }, `  → ${c.partner.process}(${c.partner.pid})`) : "", make("span", { class: "soft line" }, `line ${c.line}`)))));
    if (!answer.choices.length) this.choices.replaceChildren(make("li", { class: "soft" }, "no process can move"));
    this.watches.replaceChildren(...answer.watches.flatMap(w => [make("dt", {}, w.expression), make("dd", {}, w.value === null ? "?" : String(w.value))]));
    const place = last || (state.processes || [])[0];
    this.places = { line: last ? last.line : 0, file: last && last.file, places: linesOf(now, place && place.file) };
    this.now = { state: now, step: last || null };
    this.hooks.moved(this.now);
    this.mark();
  }
  mark() { if (this.id !== null) this.hooks.mark(this.places.line, this.places.file, this.places.places); }
  key(key) {
    if (this.id === null) return false;
    const keys = { ArrowRight: { do: "forward" }, ArrowLeft: { do: "undo" }, Home: { do: "restart" }, End: { do: "run" }, " ": { do: "random" } };
    if (/^[1-9]$/.test(key)) this.ask({ do: "choose", choice: Number(key) });
    else if (keys[key]) this.ask(keys[key]);
    else return false;
    return true;
  }
}

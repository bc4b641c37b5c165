// Verifying: the options, a run with its figures, and what came out of it.
import { count, make, seconds, size } from "./dom.js";
import { Properties, mark } from "./properties.js";
import { Refusal, get, post, record } from "./server.js";
import { timeline } from "./timeline.js";

const SELECTS = [
  ["check", "Check", ["", "safety", "liveness", "progress"], "all that the model states"],
  ["fairness", "Fairness", ["", "none", "weak", "strong"], "labelled statements"],
  ["search", "Search", ["", "bfs", "dfs", "random", "best"], "breadth first, with probes"],
  ["store", "Store", ["", "tree", "plain", "compact", "bitstate", "automaton"], "tree"],
];
const FLAGS = [["exact", "no reductions: Spin's counts"], ["shortest", "find a shortest counterexample"],
  ["partial-deadlock", "no process is blocked for ever"], ["no-deadlock", "do not report invalid end states"], ["all-errors", "report all distinct errors"]];
const NUMBERS = [["time", "Seconds", "as allowed"], ["memory", "Memory", "such as 500M"], ["depth", "Depth", "no limit"], ["threads", "Threads", "all"]];

/** "--name value --flag" as the server takes it. */
function parse(text) {
  const list = [], words = text.match(/"[^"]*"|'[^']*'|\S+/g) || [], bare = w => w.replace(/^(["'])(.*)\1$/, "$2");
  for (let i = 0; i < words.length; i++) {
    if (words[i].startsWith("-D")) { list.push(["define", words[i].slice(2) || bare(words[++i] || "")]); continue; }
    const [, name, value] = words[i].match(/^--([\w-]+)(?:=(.*))?$/s) || [];
    if (!name) throw new Refusal(400, `“${words[i]}” is not an option`);
    if (value !== undefined) list.push([name, bare(value)]);
    else if (words[i + 1] && !words[i + 1].startsWith("-")) list.push([name, bare(words[++i])]);
    else list.push([name, true]);
  }
  return list;
}

/** hooks: {start(only, name), defined(), opened(data, property, walk, n, show), result(data), tell(error), running(boolean)} */
export class Verification {
  constructor(panel, hooks) {
    this.panel = panel;
    this.hooks = hooks;
    this.job = null;
    this.polls = 0;
    this.defined = "";
    this.form = this.makeForm();
    this.live = make("section", { class: "live", "aria-label": "The run", hidden: true });
    this.head = make("div");
    this.list = new Properties({ run: (only, name) => hooks.start(only, name), opened: (...what) => hooks.opened(...what) });
    this.result = make("section", { id: "result", "aria-label": "Result" }, this.head, this.list.element);
    this.details = make("section", { "aria-label": "Statistics and notes" });
    panel.replaceChildren(this.form, this.live, this.result, this.details);
    this.nothing();
  }
  nothing() { this.head.replaceChildren(); this.details.replaceChildren(); }
  makeForm() {
    const field = (name, label, input) => make("label", {}, make("span", {}, label), input);
    const select = ([name, label, words, fallback]) => field(name, label, make("select", { name }, ...words.map(w => make("option", { value: w }, w || fallback))));
    const number = ([name, label, hint]) => field(name, label, make("input", { name, placeholder: hint, size: 9, autocomplete: "off" }));
    this.formulas = make("select", { name: "ltl" }, make("option", { value: "" }, "all"));
    this.summary = make("summary", {}, "Options");
    return make("form", { id: "options", onsubmit: e => { e.preventDefault(); this.hooks.start(); }, oninput: () => this.tellOptions() },
      make("details", {}, this.summary,
        make("div", { class: "fields" }, field("ltl", "Formulas", this.formulas), ...SELECTS.map(select), ...NUMBERS.map(number)),
        make("div", { class: "flags" }, ...FLAGS.map(([name, label]) => make("label", {}, make("input", { type: "checkbox", name }), make("span", {}, label)))),
        field("more", "More", make("input", { name: "more", class: "mono", placeholder: "--no-por --ef 'x == 3' -DN=4", autocomplete: "off" })),
        make("button", { type: "reset", class: "quiet", onclick: () => setTimeout(() => this.tellOptions()) }, "Reset")));
  }
  options() {
    const list = [], form = this.form.elements;
    for (const [name] of [["ltl"], ...SELECTS, ...NUMBERS]) if (form[name].value.trim()) list.push([name, form[name].value.trim()]);
    for (const [name] of FLAGS) if (form[name].checked) list.push([name, true]);
    return [...list, ...parse(form.more.value)];
  }
  /** What -D is given: the text means something else with it. */
  defines() {
    try { return this.options().filter(([name, value]) => name === "define" && value).map(([, value]) => value); } catch { return []; }
  }
  tellOptions() {
    let text = "";
    const defines = this.defines().join(" ");
    if (defines !== this.defined) this.hooks.defined();
    this.defined = defines;
    try { text = tellOptions(this.options()); } catch (error) { text = error.message; }
    this.summary.replaceChildren("Options", make("span", { class: "soft mono" }, text ? "  " + text : ""));
  }
  /** What `gyre info --json` says of the model as it is now. */
  stated(info) {
    const chosen = this.formulas.value, names = info.properties.filter(p => p.kind === "ltl").map(p => p.name);
    this.formulas.replaceChildren(make("option", { value: "" }, "all"), ...names.map(n => make("option", { value: n }, n)));
    if (names.includes(chosen)) this.formulas.value = chosen;
    this.list.set(info);
  }
  /** The text is another one than that of what is shown. */
  changed() { this.list.age(); }

  /** only: options that say which property; null: all of them. */
  async start(name, only = null) {
    if (this.job !== null) return;
    try {
      const options = only ? [...this.options().filter(([option]) => !["check", "ltl"].includes(option)), ...only] : this.options();
      const { id } = await post("verify", { name, options });
      this.follow(id, name);
    } catch (error) { this.hooks.tell(error); }
  }
  /** Watches a job, which another page may have started. */
  async follow(id, name) {
    const turn = ++this.polls;
    this.job = id;
    this.name = name;
    this.busy(true);
    this.nothing();
    this.buildLive();
    this.live.hidden = true;
    for (let wait = 60; this.polls === turn; wait = Math.min(500, wait * 1.5)) {
      let view;
      try {
        view = await get("job", { id });
      } catch (error) { this.hooks.tell(error); break; }
      if (this.polls !== turn) return;
      this.showLive(view);
      if (view.ended) { await this.ended(view); break; }
      await new Promise(done => setTimeout(done, wait));
    }
    if (this.polls === turn) { this.job = null; this.busy(false); }
  }
  busy(on) { this.list.running(on); this.hooks.running(on); }
  /** Another model is shown now; the job goes on. */
  forget() { this.polls++; this.job = null; this.live.hidden = true; this.nothing(); this.list.forget(); this.busy(false); }
  async stop() { if (this.job !== null) await post("stop", {}, { id: this.job }).catch(this.hooks.tell); }

  // Built once for a run: what is replaced while somebody presses it loses the click.
  buildLive() {
    const figure = label => ({ label, value: make("strong"), chart: make("div") });
    const figures = [figure("states"), figure("states per second"), figure("memory")];
    const stop = make("button", { type: "button", id: "stop", onclick: () => this.stop() }, "Stop ", make("kbd", {}, "x"));
    this.parts = { title: make("strong"), where: make("span", { class: "where", role: "status" }), stop, figures, known: make("ul", { class: "known" }) };
    this.live.replaceChildren(
      make("div", { class: "bar" }, this.parts.title, this.parts.where, make("span", { class: "push" }), stop),
      make("div", { class: "figures" }, ...figures.map(f => make("figure", {}, make("figcaption", {}, make("span", { class: "soft" }, f.label), f.value), f.chart))),
      this.parts.known);
  }
  showLive(view) {
    const points = view.history, now = view.now, { title, where, stop, figures, known } = this.parts;
    const last = points[points.length - 1], before = points[Math.max(0, points.length - 5)];
    const rate = last && before && last.seconds > before.seconds ? (last.states - before.states) / (last.seconds - before.seconds) : now.seconds ? now.states / now.seconds : 0;
    const rates = points.map((p, i) => { const q = points[Math.max(0, i - 2)]; return [p.seconds, p.seconds > q.seconds ? (p.states - q.states) / (p.seconds - q.seconds) : 0]; });
    if (rates.length > 1) rates[0][1] = rates[1][1];
    const from = (first, list) => list.length ? [[0, first], ...list] : [];
    this.live.hidden = view.ended ? points.length < 2 : view.seconds < .4;
    title.textContent = view.ended ? "Ended" : view.stopped ? "Stopping…" : "Searching…";
    title.className = view.ended ? "soft" : "pulse";
    const facts = [now.property, seconds(view.seconds), now.depth && `depth ${count(now.depth)}`, now.pending && `${count(now.pending)} pending`];
    where.textContent = facts.filter(Boolean).join(", ");
    stop.hidden = view.ended;
    stop.disabled = view.stopped;
    const lines = [[count(now.states), from(0, points.map(p => [p.seconds, p.states]))], [count(rate), from(rates.length ? rates[0][1] : 0, rates)],
      [size(now.memory_bytes), from(0, points.map(p => [p.seconds, p.memory_bytes]))]];
    lines.forEach(([text, list], i) => {
      figures[i].value.textContent = text;
      figures[i].chart.replaceChildren(timeline(list, { label: figures[i].label, text }));
    });
    known.replaceChildren(...view.verdicts.filter(() => !view.ended).map(v => make("li", {}, make("span", { class: v.verdict }, v.verdict), ` ${v.property}`, v.problem ? `: ${v.problem}` : "")));
  }
  async ended(view) {
    const { result } = view;
    if (!result) return this.failed(view);
    let data = { report: result, sources: {}, graph: null };
    if (view.record && result.report === "verification") try { data = await record(view.name, view.record); } catch { /* too large to be kept */ }
    this.show(data, view);
    this.hooks.result(data, view.record);
  }
  failed(view) {
    const why = view.limit === "output" ? "its report is too large" : view.status < 0 ? "it was killed" : `status ${view.status}`;
    this.head.replaceChildren(make("h2", { class: "verdict error", id: "verdict" }, "No result"), make("p", {}, `The run has ended without a report: ${why}.`));
  }
  /** view: of the job, or a record of the history (old: then nothing else is known). */
  show(data, view, old = false) {
    const { report } = data, properties = report.properties || [];
    this.list.learn(data, old);
    const one = properties.length === 1 && this.list.stated.length > 1 ? `  ${properties[0].name}` : "";
    this.head.replaceChildren(make("h2", { class: "verdict " + report.verdict, id: "verdict" }, mark(report.verdict), " ", report.verdict, one ? make("span", { class: "soft" }, one) : "",
      view.stopped ? make("span", { class: "soft" }, "  stopped") : "", view.when ? make("span", { class: "soft" }, "  " + new Date(view.when).toLocaleString()) : ""));
    this.details.replaceChildren(...figures(report, view), notes(report));
    const first = properties.find(p => p.counterexample);
    if (first) this.hooks.opened(data, first, (first.counterexamples || [first.counterexample])[0], 0, false);
    else this.hooks.opened(data, null);
  }
}

function figures(report, view) {
  const stats = report.stats || {}, coverage = report.coverage;
  const facts = [["time", seconds(stats.seconds ?? view.seconds ?? 0)], ["memory", stats.memory_bytes ? size(stats.memory_bytes) : null],
    ["states/s", stats.states_per_second ? count(stats.states_per_second) : null], ["bytes per state", stats.bytes_per_state && stats.limit !== null ? stats.bytes_per_state.toFixed(1) : null],
    ["coverage", coverage ? `${coverage.reached} of ${coverage.statements} statements` : null], ["search", stats.search], ["store", stats.store],
    ["reductions", (stats.reductions || []).join(", ") || null], ["options", tellOptions(view.options || []) || null]].filter(([, v]) => v);
  return report.stats || facts.length > 1 ? [make("dl", { class: "facts" }, ...facts.map(([k, v]) => make("div", {}, make("dt", {}, k), make("dd", {}, v))))] : [];
}
function notes(report) {
  const list = (report.diagnostics || []).filter(d => report.verdict !== "error" || d.severity);
  return list.length ? make("ul", { class: "notes" }, ...list.map(d => make("li", { class: d.severity }, d.line ? make("span", { class: "soft mono" }, `${d.file}:${d.line} `) : "", d.message,
    d.hint ? make("div", { class: "soft" }, d.hint) : ""))) : "";
}

export const tellOptions = list => list.map(([name, value]) => name === "define" ? `-D${value}` : value === true ? `--${name}` : `--${name}=${/\s/.test(value) ? `'${value}'` : value}`).join(" ");

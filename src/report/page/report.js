// The report as a page: what was verified, and the stepper through what was found.

const data = JSON.parse($("data").textContent), { report, sources } = data, graphData = data.graph;

$("theme").onclick = switchTheme;
$("title").textContent = report.model || "";
document.title = `${report.verdict}: ${report.model || "Gyre"}`;
$("verdict").textContent = report.verdict;
$("verdict").className = report.verdict;

// ---- a text with marks ------------------------------------------------------------------------

function fillSource(box, file, mark) {
  const text = sources[file] !== undefined ? sources[file] : Object.values(sources)[0];
  box.replaceChildren(...(text || "").replace(/\n$/, "").split("\n").map((line, i) => {
    const [at, cls] = mark(i + 1);
    return make("div", { class: cls || null }, make("span", { class: "n" }, String(i + 1)), make("span", { class: "at" }, at), make("span", {}, line));
  }));
}

// ---- the counterexamples ----------------------------------------------------------------------

const source = make("div", { class: "scroll source mono", id: "source" });
const states = new States($("graph-panel"), { step: n => trace.go(n) });
const trace = new Trace($("viewer"), {
  mark(line, file, places) {
    fillSource(source, file, n => [places.has(n) ? "▸" + places.get(n).join(",") : "", n === line ? "now" : ""]);
    keepInView(source, source.children[(line || 1) - 1]);
  },
  moved: at => states.follow(at),
}, [make("div", { class: "pane" }, make("h3", {}, "Source"), source)]);

function openTrace(property, which, n, walk) {
  $("viewer").hidden = false;
  states.set(graphData, (graphData && graphData.paths[which][n]) || null);
  trace.open(property, walk);
}
const found = [];
(report.properties || []).forEach((p, which) => {
  const all = p.counterexamples || (p.counterexample ? [p.counterexample] : []), marks = { holds: "✓", violated: "✗", inconclusive: "?", error: "!" };
  const why = p.counterexample ? p.counterexample.message : p.reason ? p.reason.text : p.vacuous ? "vacuous: whatever the model does" : "";
  const buttons = all.map((walk, n) => {
    const number = found.push(() => openTrace(p, which, n, walk)) - 1;
    return make("button", { type: "button", "data-walk": number, onclick: found[number] }, all.length > 1 ? `Trace ${n + 1}` : "Trace");
  });
  const number = (value, label) => make("td", { class: "number", "data-label": label }, count(value));
  $("properties").tBodies[0].append(make("tr", { "data-property": p.name }, make("td", { class: p.verdict }, marks[p.verdict]),
    make("td", {}, make("strong", {}, p.name), p.kind === p.name ? "" : make("span", { class: "soft" }, `  ${p.kind}`), " ", make("span", { class: p.verdict }, p.verdict),
      p.formula && p.formula !== p.name ? make("div", { class: "soft mono" }, p.formula) : "", why ? make("div", { class: "why" }, why) : ""),
    number(p.states, "states"), number(p.transitions, "transitions"), make("td", { class: "buttons" }, ...buttons)));
});
addEventListener("keydown", e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input:not([type=range]), select")) return;
  if (e.key === " " && e.target.closest("button, input, [role=button]")) return; // presses it
  if (trace.key(e.key)) e.preventDefault();
});

// ---- coverage, figures, notes -----------------------------------------------------------------

const { coverage } = report;
if (coverage && coverage.unreached.length) {
  const lines = new Set(coverage.unreached.map(u => u.line)), section = $("coverage");
  section.hidden = false;
  section.querySelector("h2").textContent = `Coverage: ${count(coverage.reached)} of ${plural(coverage.statements, "statement")}`;
  fillSource(section.querySelector(".source"), coverage.unreached[0].file, line => ["", lines.has(line) ? "cut" : ""]);
}
const FIGURES = { memory_bytes: size, search_memory_bytes: size, seconds, search_seconds: seconds, bytes_per_state: n => n.toFixed(1) };
for (const [name, value] of Object.entries(report.stats || {})) {
  if (value === null || typeof value === "object") continue;
  const text = FIGURES[name] ? FIGURES[name](value) : typeof value === "number" ? count(value) : String(value);
  $("figures").querySelector("dl").append(make("div", {}, make("dt", {}, name.replace("_bytes", "").replace(/_/g, " ")), make("dd", {}, text)));
}
$("figures").hidden = !report.stats;
for (const d of report.diagnostics || [])
  $("notes").querySelector("ul").append(make("li", { class: d.severity }, d.file ? make("span", { class: "soft mono" }, `${d.file}:${d.line} `) : "", d.message, d.hint ? make("div", { class: "soft" }, d.hint) : ""));
$("notes").hidden = !(report.diagnostics || []).length;
const worst = (report.properties || []).find(p => p.verdict === report.verdict);
$("what").textContent = report.verdict === "violated" && worst && worst.counterexample ? `${worst.name === worst.kind ? "" : worst.name + ": "}${worst.counterexample.message || ""}` : "";
$("graph").hidden = !graphData;
states.set(graphData);
if (found.length) found[0]();

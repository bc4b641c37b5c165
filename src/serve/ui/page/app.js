// The page: ties the editor, the server and the panels together.
import { Automata } from "./automata.js";
import { coverageOf } from "./coverage.js";
import { $, make, plural } from "./dom.js";
import { Editor } from "./editor.js";
import { History } from "./history.js";
import { Jobs } from "./jobs.js";
import { listen, showKeys } from "./keys.js";
import { Refusal, get, post, put } from "./server.js";
import { Simulation } from "./simulate.js";
import { States } from "./states.js";
import { switchTheme } from "./theme.js";
import { Trace } from "./trace.js";
import { Verification } from "./verify.js";

const TABS = ["verify", "trace", "simulate", "automata", "states", "history"];
const CHECK_AFTER = 180; // milliseconds without a key
const TEMPLATE = "byte x;\n\nactive [2] proctype P() {\n    x++;\n    assert(x <= 2)\n}\n";

const file = { name: null, version: "", saved: "", readonly: false };
let info = null, covered = null, showCoverage = true, checking = 0, folder = { files: [] };
const base = name => name.split("/").pop();
const isModel = name => folder.files.some(f => f.name === name && f.model);

// ---- what there is to tell ------------------------------------------------------------------

function notice(...content) { $("notice").replaceChildren(...content, make("button", { type: "button", class: "quiet", "aria-label": "Dismiss", onclick: hideNotice }, "×")); $("notice").hidden = false; }
function hideNotice() { $("notice").hidden = true; }
function tell(error) { notice(error instanceof Refusal ? error.message : String(error)); if (!(error instanceof Refusal)) console.error(error); }

function showTab(name, focus = true) {
  for (const tab of TABS) {
    const now = tab === name;
    $("tab-" + tab).setAttribute("aria-selected", now);
    $("tab-" + tab).tabIndex = now ? 0 : -1;
    $("panel-" + tab).hidden = !now;
  }
  document.body.dataset.panel = name;
  $("tab-" + name).scrollIntoView({ block: "nearest", inline: "nearest" });
  $("tab-model").setAttribute("aria-selected", name === "model");
  if (name === "model") return editor.focus();
  if (focus) $("panel-" + name).focus({ preventScroll: true });
  if (name === "history" && file.name) history.load(file.name);
  if (name === "trace") trace.go(trace.at);
  else if (name === "simulate") { simulation.mark(); if (simulation.now) follow("simulate", simulation.now); }
  else if (name !== "automata" && name !== "states") editor.walk(null);
  if (name === "states") states.follow(trace.at);
  if (name === "automata") automata.show();
}
const currentTab = () => document.body.dataset.panel;

// ---- the file -------------------------------------------------------------------------------

const isDirty = () => file.name !== null && editor.text !== file.saved;
function showSaved() { $("saved").textContent = file.readonly ? "read only: not UTF-8" : isDirty() ? "not saved" : ""; document.title = `${isDirty() ? "• " : ""}${file.name ? base(file.name) : "Gyre"}`; }

async function openFile(name) {
  const read = await get("file", { name });
  Object.assign(file, { name, version: read.version, saved: read.text, readonly: read.readonly });
  editor.open(read.text, read.readonly);
  $("file").value = name;
  window.history.replaceState(null, "", location.search + "#" + encodeURIComponent(name));
  hideNotice();
  info = covered = null;
  verification.forget(); trace.empty(); simulation.leave(); states.set(null); automata.follow(null); automata.set(null);
  showCovered();
  showSaved();
  showTab(currentTab() === "history" ? "history" : "verify", false);
  await check();
  $("verify").disabled = $("simulate").disabled = !isModel(name);
  const { jobs } = await get("jobs"), running = jobs.find(j => j.name === name && !j.ended);
  if (running && file.name === name) verification.follow(running.id, name);
  others.look();
}

async function save(over = false) {
  if (!isDirty() || file.readonly) return true;
  const text = editor.text;
  try {
    const { version } = await put("file", { name: file.name, text, base: over || file.version });
    Object.assign(file, { version, saved: text });
    showSaved();
    return true;
  } catch (error) {
    if (error.status === 409) conflict(); else tell(error);
    return false;
  }
}

// Somebody else has written the file meanwhile.
async function conflict() {
  const theirs = await get("file", { name: file.name }).catch(() => null);
  notice(`${file.name} was changed on the disk. `,
    make("button", { type: "button", onclick: () => { if (theirs) { editor.replace(theirs.text); Object.assign(file, { version: theirs.version, saved: theirs.text }); } hideNotice(); changed(); } }, "Take that"),
    make("button", { type: "button", onclick: async () => { hideNotice(); await save(theirs ? theirs.version : ""); } }, "Keep mine"));
}

async function lookAgain() {
  if (!file.name || document.hidden) return;
  const now = await get("file", { name: file.name }).catch(() => null);
  if (!now || now.version === file.version) return;
  if (isDirty()) return conflict();
  editor.replace(now.text);
  Object.assign(file, { version: now.version, saved: now.text });
  changed();
}

async function listFiles() {
  folder = await get("folder");
  const options = model => folder.files.filter(f => f.model === model).map(f => make("option", { value: f.name }, f.name)), others = options(false);
  $("file").replaceChildren(...options(true), ...(others.length ? [make("optgroup", { label: "other files" }, ...others)] : []));
  if (file.name) $("file").value = file.name;
}

function askName() {
  const input = make("input", { type: "text", value: "model.pml", class: "mono", "aria-label": "Name", autocomplete: "off", required: true }), dialog = $("ask");
  dialog.replaceChildren(make("h2", { id: "ask-title" }, "New model"), make("form", { method: "dialog", onsubmit: async () => {
    try {
      await put("file", { name: input.value, text: TEMPLATE, base: "" });
      await listFiles();
      await openFile(input.value);
      editor.focus();
    } catch (error) { tell(error.status === 409 ? new Refusal(409, `${input.value} is there already`) : error); }
  } }, input, make("div", { class: "bar" }, make("span", { class: "push" }), make("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), make("button", { class: "primary" }, "Create"))));
  dialog.showModal();
  input.setSelectionRange(0, 5);
}

// ---- problems -------------------------------------------------------------------------------

let checkTimer = 0;
function changed() {
  showSaved();
  covered = null;
  showCovered();
  verification.changed();
  if (automata.run && automata.run.trace) automata.follow(null); // of the text as it was
  clearTimeout(checkTimer);
  checkTimer = setTimeout(check, CHECK_AFTER);
}

async function check() {
  const turn = ++checking, { name } = file, text = editor.text;
  if (!name) return;
  if (!isModel(name)) { editor.problems([]); showProblems([], ""); return; } // what models include
  let report;
  try { report = await post("check", { name, text, defines: verification.defines() }); } catch (error) {
    if (error.status === 429) checkTimer = setTimeout(check, 2 * CHECK_AFTER); else tell(error);
    return;
  }
  if (turn !== checking || text !== editor.text) return; // a later one is on its way
  const own = base(name), list = report.diagnostics || [];
  editor.problems(list.filter(d => !d.file || d.file === own));
  showProblems(list, own);
  if (report.report === "info") {
    info = report;
    automata.set(info);
    verification.stated(info);
  }
  document.body.dataset.checked = report.report === "info" ? "good" : "bad";
}

function showProblems(list, own) {
  const errors = list.filter(d => d.severity === "error").length, others = list.length - errors;
  $("problem-count").textContent = list.length ? [errors && plural(errors, "error"), others && plural(others, "warning")].filter(Boolean).join(", ") : "none";
  $("problem-count").className = errors ? "violated" : others ? "inconclusive" : "soft";
  $("problem-list").replaceChildren(...list.map(d => make("li", { class: d.severity }, make("button", { type: "button", class: "problem", onclick: () => showPlace(d, own) },
    make("span", { class: "soft mono" }, d.line ? `${d.file && d.file !== own ? d.file + ":" : ""}${d.line}:${d.column || 1}` : ""), make("span", {}, d.message), d.hint ? make("span", { class: "soft" }, d.hint) : ""))));
}

// Also in a file that is included, if it is one that can be opened.
async function showPlace(d, own) {
  if (d.file && d.file !== own) {
    const there = file.name.slice(0, file.name.length - own.length) + d.file;
    if (!folder.files.some(f => f.name === there) || !(await save())) return;
    try { await openFile(there); } catch (error) { return tell(error); }
  }
  editor.goTo(d.line || 1, d.column || 1);
}

function nextProblem() { const first = $("problem-list").querySelectorAll("button"); if (first.length) { nextProblem.at = ((nextProblem.at ?? -1) + 1) % first.length; first[nextProblem.at].click(); } }

async function format() {
  const text = editor.text;
  if (!file.name || !isModel(file.name) || file.readonly) return;
  try {
    const laid = (await post("format", { name: file.name, text })).text;
    if (editor.text !== text || laid === text) return;
    editor.replace(laid);
    changed();
  } catch (error) { tell(error); }
}

// ---- coverage -------------------------------------------------------------------------------

function showCovered() {
  const there = !!covered && covered.size > 0;
  $("coverage").hidden = $("coverage-legend").hidden = !there;
  $("coverage").setAttribute("aria-pressed", showCoverage);
  editor.coverage(there && showCoverage ? covered : null);
  if (there) {
    const missed = [...covered.values()].filter(m => m.kind !== "reached").length;
    $("coverage-legend").textContent = missed ? `${plural(missed, "line")} not fully executed` : "every line executed";
  }
}

// ---- the parts ------------------------------------------------------------------------------

const editor = new Editor($("editor"), {
  changed,
  leave: () => $("tab-" + (currentTab() === "model" ? "verify" : currentTab())).focus(),
  keys: [{ key: "Ctrl-Enter", run: () => { verify(); return true; } }, { key: "Mod-s", run: () => { save(); return true; } },
    { key: "F9", run: () => { simulate(); return true; } }, { key: "F8", run: () => { nextProblem(); return true; } },
    { key: "Shift-Alt-f", run: () => { format(); return true; } }],
});

// Marks are made only where the text is the one that was verified.
let traced = null; // the text of the trace's model
function mark(line, where, places, text) {
  const same = text === null || text === editor.text;
  if (!same) return editor.walk(null);
  editor.walk(!where || where === base(file.name) ? line : 0, places);
}
// The automata follow what was moved last.
function follow(source, now) { if (now.state && (source === "simulate" || traced === null || traced === editor.text)) automata.follow({ ...now, trace: source === "trace" }); }
const trace = new Trace($("panel-trace"), {
  mark: (line, where, places) => { if (["trace", "automata", "states"].includes(currentTab())) mark(line, where, places, traced); },
  moved: (at, state, step) => { states.follow(at); follow("trace", { state, step }); },
});
const simulation = new Simulation($("panel-simulate"), {
  mark: (line, where, places) => { if (currentTab() === "simulate") mark(line, where, places, null); },
  moved: now => follow("simulate", now), start: () => simulate(), tell,
});
const steppers = new Map(); // one for each panel that shows one
const stepper = panel => { if (!steppers.has(panel)) steppers.set(panel, trace.bar(panel)); return steppers.get(panel); };
const automata = new Automata($("panel-automata"), { goTo: (line, where) => { if (!where || where === base(file.name)) editor.goTo(line); }, bar: () => stepper("automata") });
const states = new States($("panel-states"), { step: n => trace.go(n), bar: () => stepper("states") });
const verification = new Verification($("panel-verify"), {
  start: only => verify(only), tell, defined: () => { clearTimeout(checkTimer); checkTimer = setTimeout(check, CHECK_AFTER); },
  running: on => { others.look(); document.body.classList.toggle("running", on); $("verify").disabled = on || !isModel(file.name); },
  opened(data, property, walk, n, show) {
    traced = data.sources[base(file.name)] ?? null;
    if (!property) { trace.empty(); automata.follow(null); states.set(data.graph); return; }
    const which = data.report.properties.indexOf(property), path = data.graph && data.graph.paths[which] && data.graph.paths[which][n];
    states.set(data.graph, path || null);
    trace.open(property, walk);
    if (show) showTab("trace");
  },
  result(data) {
    if (data.report.coverage && info && (data.sources[base(file.name)] ?? editor.text) === editor.text) {
      covered = coverageOf(info, data.report.coverage, base(file.name));
      showCovered();
    }
    automata.cover(data.report.coverage);
  },
});
const history = new History($("panel-history"), {
  tell,
  open(data, record) { showTab("verify"); verification.live.hidden = true; verification.show(data, record, true); },
});
const others = new Jobs($("running"), { current: () => file.name, open: async name => { if (await save()) openFile(name).catch(tell); }, tell });

async function verify(only = null) {
  if (!file.name || !(await save()) || !isModel(file.name)) return;
  showTab("verify");
  await verification.start(file.name, only);
}
async function simulate() {
  if (!file.name || !(await save()) || !isModel(file.name)) return;
  showTab("simulate");
  await simulation.start(file.name, verification.defines());
}

// ---- keys, buttons, sizes -------------------------------------------------------------------

const walkKey = event => (["trace", "states"].includes(currentTab()) || (currentTab() === "automata" && automata.run?.trace) ? trace : ["simulate", "automata"].includes(currentTab()) ? simulation : null)?.key(event.key) ?? false;
listen({
  "Ctrl Enter": () => { verify(); }, "Ctrl s": () => { save(); }, F9: () => { simulate(); }, F8: nextProblem,
  e: () => { if (matchMedia("(max-width: 860px)").matches) showTab("model"); editor.focus(); }, p: () => ($("problem-list").querySelector("button") || $("problems-toggle")).focus(),
  v: () => showTab("verify"), t: () => showTab("trace"), s: () => showTab("simulate"), a: () => showTab("automata"), g: () => showTab("states"), h: () => showTab("history"),
  x: () => { verification.stop(); }, d: switchTheme, "?": showKeys,
  ArrowRight: walkKey, ArrowLeft: walkKey, Home: walkKey, End: walkKey, PageUp: walkKey, PageDown: walkKey, " ": walkKey,
  ...Object.fromEntries([..."123456789"].map(n => [n, walkKey])),
});

for (const tab of ["model", ...TABS]) $("tab-" + tab).onclick = () => showTab(tab, false);
document.querySelector("[role=tablist]").addEventListener("keydown", event => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], at = TABS.indexOf(event.target.id.slice(4));
  if (!step || at < 0) return;
  const next = TABS[(at + step + TABS.length) % TABS.length];
  showTab(next, false);
  $("tab-" + next).focus();
  event.preventDefault();
});
$("verify").onclick = () => verify();
$("simulate").onclick = simulate;
$("theme").onclick = switchTheme;
$("help").onclick = showKeys;
$("new").onclick = askName;
$("coverage").onclick = () => { showCoverage = !showCoverage; showCovered(); };
$("problems-toggle").onclick = () => { const open = $("problem-list").hidden; $("problem-list").hidden = !open; $("problems-toggle").setAttribute("aria-expanded", open); };
$("file").onchange = async event => { const to = event.target.value; if (await save()) openFile(to).catch(tell); else event.target.value = file.name; };
addEventListener("beforeunload", event => { if (isDirty()) event.preventDefault(); });
addEventListener("focus", lookAgain);

function split(percent) {
  percent = Math.max(20, Math.min(80, percent));
  document.documentElement.style.setProperty("--split", percent + "%");
  $("splitter").setAttribute("aria-valuenow", Math.round(percent));
  localStorage.setItem("gyre-split", percent);
}
split(Number(localStorage.getItem("gyre-split")) || 46);
$("splitter").addEventListener("keydown", event => {
  const step = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
  if (step) { split(Number($("splitter").getAttribute("aria-valuenow")) + step); event.preventDefault(); event.stopPropagation(); }
});
$("splitter").addEventListener("pointerdown", event => {
  $("splitter").setPointerCapture(event.pointerId);
  $("splitter").onpointermove = move => split(move.clientX / innerWidth * 100);
  $("splitter").onpointerup = () => { $("splitter").onpointermove = null; };
});

// ---- the beginning --------------------------------------------------------------------------

document.body.dataset.panel = "verify";
showTab("verify", false);
try {
  await listFiles();
  const wanted = decodeURIComponent(location.hash.slice(1)), names = folder.files.filter(f => f.model).map(f => f.name);
  const first = [wanted, folder.model, names[0]].find(n => n && folder.files.some(f => f.name === n));
  if (first) await openFile(first); else { editor.open("", true); askName(); }
} catch (error) { tell(error); }
document.body.dataset.ready = "yes";

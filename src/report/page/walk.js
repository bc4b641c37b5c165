// The states of a run: the first one, and what each step has changed (docs/json.md says how).
// What is shown of a state, in the stepper and in a simulation, comes from here.

export const shown = v => v === true ? "true" : v === false ? "false" : v === null || v === undefined ? "" :
  Array.isArray(v) ? "[" + v.map(shown).join(", ") + "]" : String(v);

// {name: value} with arrays by their elements: Map(name -> text)
function flat(values) {
  const found = new Map();
  for (const [name, v] of Object.entries(values || {}))
    if (Array.isArray(v)) v.forEach((x, i) => found.set(`${name}[${i}]`, shown(x)));
    else found.set(name, shown(v));
  return found;
}
const contentsOf = channel => ({ capacity: channel.capacity, text: channel.messages && channel.messages.length ? channel.messages.join(" ") : "empty" });
const placeOf = ({ file, line, state }) => ({ file, line, state });

/** A state as JSON has it: {globals, channels: Map(name -> {capacity, text}), processes: Map(pid -> …)}. */
export function stateOf(told) {
  const processes = new Map();
  for (const p of (told && told.processes) || []) processes.set(p.pid, { process: p.process, pid: p.pid, ...placeOf(p), locals: flat(p.locals), waits: p.waits });
  return { globals: flat(told && told.globals), channels: new Map(((told && told.channels) || []).map(c => [c.name, contentsOf(c)])), processes };
}

function applyChange(state, c) {
  if (c.event === "starts") state.processes.set(c.pid, { process: c.name.replace(/\(\d+\)$/, ""), pid: c.pid, ...placeOf(c), locals: flat(c.locals) });
  else if (c.event === "ends") state.processes.delete(c.pid);
  else if (c.event === "created") state.channels.set(c.name, contentsOf(c));
  else if (c.event) return; // removed and renamed were first
  else if ("new_messages" in c) state.channels.set(c.name, { capacity: 1, ...state.channels.get(c.name), text: shown(c.new) });
  else if (c.pid === undefined) state.globals.set(c.name, shown(c.new));
  else {
    const process = state.processes.get(c.pid);
    if (process) process.locals.set(c.name.slice(c.name.indexOf(":") + 1), shown(c.new));
  }
}

/** The state after a step. */
export function after(before, step) {
  const changes = step.changes || [], gone = new Set(), names = new Map();
  for (const c of changes) if (c.event === "removed") gone.add(c.name); else if (c.event === "renamed") names.set(c.name, c.to);
  const state = { globals: new Map(before.globals), processes: new Map(),
    channels: new Map([...before.channels].filter(([name]) => !gone.has(name)).map(([name, c]) => [names.get(name) ?? name, c])) };
  for (const [pid, p] of before.processes) state.processes.set(pid, { ...p, waits: undefined, locals: new Map(p.locals) });
  for (const c of changes) applyChange(state, c);
  for (const p of step.positions || []) if (state.processes.has(p.pid)) Object.assign(state.processes.get(p.pid), placeOf(p));
  return state;
}

/** A counterexample with its states. */
export class Walk {
  constructor(told) { this.steps = told.steps; this.kept = new Map([[0, stateOf(told.initial)]]); this.final = told.final; }
  /** After n steps. Some are kept, so that none is far from one. */
  at(n) {
    const every = 64;
    let from = n;
    while (!this.kept.has(from)) from--;
    let state = this.kept.get(from);
    for (; from < n; from++) {
      state = after(state, this.steps[from]);
      if ((from + 1) % every === 0) this.kept.set(from + 1, state);
    }
    return state;
  }
}

/** What there is to show of a state: [{title, note, rows: [{name, label, value}]}]; `name` is the whole one. */
export function groupsOf({ globals, channels, processes }) {
  const held = [...channels].filter(([, c]) => c.capacity !== 0), groups = []; // a rendezvous channel holds nothing
  const row = (name, value, label = name) => ({ name, label, value });
  const shared = [...globals].filter(([name]) => !channels.has(name)).map(([name, value]) => row(name, value));
  shared.push(...held.filter(([name]) => !/^\w+\(\d+\):/.test(name)).map(([name, c]) => row(name, c.text)));
  if (shared.length) groups.push({ title: "", note: "", rows: shared });
  for (const p of processes.values()) {
    const who = `${p.process}(${p.pid})`, rows = [];
    for (const [name, value] of p.locals) if (!channels.has(`${who}:${name}`)) rows.push(row(`${who}:${name}`, value, name));
    rows.push(...held.filter(([name]) => name.startsWith(who + ":")).map(([name, c]) => row(name, c.text, name.slice(who.length + 1))));
    groups.push({ title: who, note: p.line ? `line ${p.line}` : "", rows });
  }
  return groups;
}

/** Which processes are where: Map(line -> [pid]), of one file. */
export function linesOf(state, file) {
  const lines = new Map();
  for (const p of state.processes.values()) if (p.line && (!file || !p.file || p.file === file)) lines.set(p.line, [...(lines.get(p.line) || []), p.pid]);
  return lines;
}

/** Changes as people read them: the process that moved leaves its own name out. */
export function saidOf(step) {
  const own = new Set([step, step.partner].filter(Boolean).map(a => `${a.process}(${a.pid}):`));
  const name = c => { const i = c.name.indexOf(":") + 1; return own.size === 1 && own.has(c.name.slice(0, i)) ? c.name.slice(i) : c.name; };
  return (step.changes || []).map(c => c.event === "starts" || c.event === "ends" ? `${c.name} ${c.event}` : c.event === "created" ? `${name(c)}: new channel`
    : c.event ? "" : `${name(c)}: ${shown(c.old)} → ${shown(c.new)}`).filter(Boolean);
}

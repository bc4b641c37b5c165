// What was verified before: kept beside the model, in .gyre/history.
import { count, make, seconds, size } from "./dom.js";
import { mark } from "./properties.js";
import { get, post, record } from "./server.js";
import { tellOptions } from "./verify.js";

/** hooks: {open(data, record), tell(error)} */
export class History {
  constructor(panel, hooks) { this.panel = panel; this.hooks = hooks; }
  async load(name) {
    this.name = name;
    let records;
    try { ({ records } = await get("history", { name })); } catch (error) { return this.hooks.tell(error); }
    if (this.name !== name) return;
    if (!records.length) {
      this.panel.replaceChildren(make("div", { class: "empty" }, make("p", {}, "No history yet."), make("p", { class: "soft" }, "Every verification is kept here, and as a page of its own in ",
        make("code", {}, `.gyre/history/${name}`), ".")));
      return;
    }
    this.panel.replaceChildren(make("table", { class: "history" }, make("thead", {}, make("tr", {}, ...["", "when", "options", "states", "time", "memory", ""].map(h =>
      make("th", { class: ["states", "time", "memory"].includes(h) ? "number" : null }, h)))), make("tbody", {}, ...records.map(r => this.row(r)))));
  }
  row(r) {
    const states = Math.max(0, ...(r.properties || []).map(p => p.states || 0)), stats = r.stats || {};
    const open = make("button", { type: "button", class: "link", disabled: !r.page, onclick: () => this.open(r) }, new Date(r.when).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" }));
    const row = make("tr", { "data-record": r.record }, make("td", { class: r.verdict }, make("span", { title: r.verdict }, mark(r.verdict))), make("td", {}, open),
      make("td", { class: "mono soft" }, tellOptions(r.options || []), r.stopped ? " stopped" : ""), make("td", { class: "number", "data-label": "states" }, count(states)),
      make("td", { class: "number", "data-label": "" }, seconds(stats.seconds ?? r.seconds)), make("td", { class: "number", "data-label": "" }, stats.memory_bytes ? size(stats.memory_bytes) : ""),
      make("td", {}, make("button", { type: "button", class: "quiet", "aria-label": "Forget this run", title: "Forget", onclick: () => this.forget(r, row) }, "×")));
    return row;
  }
  async open(r) { try { this.hooks.open(await record(this.name, r.record), r); } catch (error) { this.hooks.tell(error); } }
  async forget(r, row) {
    try { await post("forget", {}, { name: this.name, record: r.record }); row.remove(); } catch (error) { this.hooks.tell(error); }
  }
}

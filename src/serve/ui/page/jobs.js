// Verifications of other models than the one that is shown: they go on, and stay in sight.
import { count, make, seconds } from "./dom.js";
import { get, post } from "./server.js";

const AGAIN = 1000; // milliseconds
const VERDICTS = ["holds", "violated", "error", "inconclusive"]; // by exit status

/** hooks: {current(): name of the model, open(name), tell(error)} */
export class Jobs {
  constructor(element, hooks) { Object.assign(this, { element, hooks, seen: new Map(), rows: new Map(), timer: 0 }); }
  /** Looks now, and again as long as something runs. */
  async look() {
    clearTimeout(this.timer);
    let jobs;
    try { ({ jobs } = await get("jobs")); } catch { return; } // whoever asks for something is told
    for (const job of jobs) if (!job.ended) this.seen.set(job.id, false);
    const shown = jobs.filter(job => job.name !== this.hooks.current() && (!job.ended || this.seen.get(job.id) === false));
    for (const job of jobs) if (job.ended && job.name === this.hooks.current()) this.seen.delete(job.id);
    for (const id of [...this.rows.keys()]) if (!shown.some(job => job.id === id)) { this.rows.get(id).row.remove(); this.rows.delete(id); }
    for (const job of shown) this.show(job);
    this.element.hidden = !shown.length;
    if (jobs.some(job => !job.ended)) this.timer = setTimeout(() => this.look(), AGAIN);
  }
  // Built once for each: what is replaced while somebody presses it loses the click.
  show(job) {
    if (!this.rows.has(job.id)) {
      const text = make("span", { class: "where" }), verdict = make("strong");
      const stop = make("button", { type: "button", class: "quiet", onclick: () => this.end(job.id) });
      const row = make("span", { class: "other-job", "data-job": job.id }, verdict, make("button", { type: "button", class: "link", onclick: () => this.hooks.open(job.name) }, job.name), text, stop);
      this.rows.set(job.id, { row, text, verdict, stop, ended: false });
      this.element.append(row);
    }
    const { text, verdict, stop } = this.rows.get(job.id), word = VERDICTS[job.status] || "no result";
    this.rows.get(job.id).ended = job.ended;
    verdict.textContent = job.ended ? word : "Searching";
    verdict.className = job.ended ? word : "pulse";
    text.textContent = `${seconds(job.seconds)}${job.now.states ? `, ${count(job.now.states)} states` : ""}`;
    stop.textContent = job.ended ? "×" : "Stop";
    stop.setAttribute("aria-label", job.ended ? "Dismiss" : `Stop ${job.name}`);
  }
  async end(id) {
    if (this.rows.get(id).ended) this.seen.delete(id); else await post("stop", {}, { id }).catch(this.hooks.tell);
    this.look();
  }
}

// What was executed, by lines.

/** Lines of the file with what was executed there: Map(line -> {kind: reached|partly|missed, text}). */
export function coverageOf(info, coverage, file) {
  const lines = new Map();
  if (!info || !coverage) return lines;
  const missed = new Map();
  for (const u of coverage.unreached) if (u.file === file) missed.set(u.line, [...(missed.get(u.line) || []), u.text]);
  const texts = new Map();
  for (const p of info.processes) for (const e of p.edges) if (e.file === file && e.line && p.kind !== "never") texts.set(e.line, (texts.get(e.line) || new Set()).add(e.text));
  for (const [line, all] of texts) {
    const gone = missed.get(line);
    if (!gone) lines.set(line, { kind: "reached", text: "executed" });
    else lines.set(line, { kind: new Set(gone).size < all.size ? "partly" : "missed", text: "never executed: " + gone.join("; ") });
  }
  for (const [line, gone] of missed) if (!lines.has(line)) lines.set(line, { kind: "missed", text: "never executed: " + gone.join("; ") });
  return lines;
}

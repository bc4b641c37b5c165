// Messages between processes. Everything is SVG with classes, so that the style decides about colours.
import { svg } from "./dom.js";

// Each picture has an arrow of its own: one in a panel that is hidden would not be drawn.
let arrows = 0;
export const arrowName = () => `arrow-${++arrows}`;
export const arrow = id => svg("defs", {}, svg("marker", { id, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8, markerHeight: 8,
  markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0,0 L8,4 L0,8 z", class: "tip" })));

/** A message sequence chart of steps; null if there are no messages. Parts have data-step. */
export function sequenceChart(steps) {
  const names = [], column = a => { const n = `${a.process}(${a.pid})`; if (!names.includes(n)) names.push(n); return names.indexOf(n); };
  for (const s of steps) if (s.message) { column(s); if (s.partner) column(s.partner); }
  const longest = Math.max(0, ...steps.map(s => s.message ? `${s.message.channel}!${s.message.contents}`.length : 0));
  const width = Math.max(140, Math.min(330, longest * 6.7 + 24)), x = c => 30 + width / 2 + c * width, sends = [], shapes = [];
  let y = 52;
  steps.forEach((s, i) => {
    const m = s.message;
    if (!m) return;
    const label = `${m.channel}!${m.contents}`, key = `${m.channel} ${m.contents}`;
    if (m.kind === "rendezvous") shapes.push({ step: i + 1, x1: x(column(s)), y1: y, x2: x(column(s.partner)), y2: y, label });
    else if (m.kind === "send") sends.push({ step: i + 1, key, x: x(column(s)), y, label });
    else {
      const k = sends.findIndex(e => e.key === key), from = k < 0 ? null : sends.splice(k, 1)[0];
      shapes.push(from ? { step: i + 1, sent: from.step, x1: from.x, y1: from.y, x2: x(column(s)), y2: y, label }
        : { step: i + 1, dot: true, x1: x(column(s)), y1: y, label: `${m.channel}?${m.contents}` });
    }
    y += 28;
  });
  for (const e of sends) shapes.push({ step: e.step, dot: true, x1: e.x, y1: e.y, label: e.label });
  if (!shapes.length) return null;
  const tip = arrowName();
  const picture = svg("svg", { width: 60 + names.length * width, height: y + 12, class: "sequence", role: "img", "aria-label": "Message sequence chart" }, arrow(tip));
  names.forEach((name, c) => picture.append(svg("line", { x1: x(c), x2: x(c), y1: 28, y2: y, class: "life" }),
    svg("rect", { x: x(c) - 60, y: 4, width: 120, height: 24, rx: 6, class: "head" }), svg("text", { x: x(c), y: 20, "text-anchor": "middle" }, name)));
  for (const s of shapes) {
    const group = svg("g", { "data-step": s.step });
    if (s.dot) group.append(svg("circle", { cx: s.x1, cy: s.y1, r: 4, class: "dot" }));
    else if (s.x1 === s.x2) group.append(svg("path", { d: `M${s.x1},${s.y1} h34 V${s.y2} h-34`, class: "message", "marker-end": `url(#${tip})` }));
    else group.append(svg("line", { x1: s.x1, y1: s.y1, x2: s.x2, y2: s.y2, class: "message", "marker-end": `url(#${tip})` }));
    // Beside the arrow's beginning: the middles of long ones cross.
    const right = s.dot || s.x2 >= s.x1;
    group.append(svg("text", { x: s.x1 + (right ? 8 : -8), y: s.y1 - 5, "text-anchor": right ? "start" : "end", class: "label" }, s.label));
    picture.append(group);
  }
  return picture;
}

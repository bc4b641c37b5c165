// Pictures: messages between processes, graphs in layers, figures over time. Everything is SVG with
// classes, so that the style decides about colours.
import { svg } from "./dom.js";

// Each picture has an arrow of its own: one in a panel that is hidden would not be drawn.
let arrows = 0;
const arrow = id => svg("defs", {}, svg("marker", { id, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8, markerHeight: 8,
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
  const tip = `arrow-${++arrows}`;
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

/** Layers by distance from the starts, each ordered by the middle of its neighbours. */
export function layers(n, edges, starts) {
  const layer = new Array(n).fill(-1), out = Array.from({ length: n }, () => []), into = Array.from({ length: n }, () => []);
  for (const [a, b] of edges) if (a !== b) { out[a].push(b); into[b].push(a); }
  const list = [];
  let front = [...starts];
  front.forEach(i => { layer[i] = 0; });
  while (front.length) {
    list.push(front);
    const next = [];
    for (const a of front) for (const b of out[a]) if (layer[b] < 0) { layer[b] = list.length; next.push(b); }
    front = next;
  }
  const place = new Array(n).fill(0), settle = l => l.forEach((v, i) => { place[v] = i - (l.length - 1) / 2; });
  const middle = (v, others) => others.length ? others.reduce((sum, o) => sum + place[o], 0) / others.length : place[v];
  list.forEach(settle);
  for (let sweep = 0; sweep < 12; sweep++) {
    const order = sweep % 2 ? [...list].reverse() : list, near = sweep % 2 ? 1 : -1;
    for (const l of order) {
      const key = new Map(l.map(v => [v, middle(v, [...out[v], ...into[v]].filter(o => layer[o] === layer[v] + near))]));
      l.sort((a, b) => key.get(a) - key.get(b));
      settle(l);
    }
  }
  return { list, layer, place };
}

/**
 * A graph in layers. nodes: [{text, title, class}], edges: [{from, to, text, title, class}]; options: {starts, dx, dy, r, labels}.
 * Returns {picture, nodes, edges}: the element of each node and edge.
 */
export function graph(nodes, edges, { starts, dx = 38, dy = 44, r = 11, labels = false, chosen }) {
  const { list, layer, place } = layers(nodes.length, edges.map(e => [e.from, e.to]), starts);
  const most = Math.max(1, ...list.map(l => l.length)), margin = labels ? 210 : 60;
  const width = 2 * margin + (most - 1) * dx, height = 56 + (list.length - 1) * dy;
  const x = v => margin + ((most - 1) / 2 + place[v]) * dx, y = v => 28 + layer[v] * dy;
  const tip = `arrow-${++arrows}`;
  const picture = svg("svg", { width, height, class: "graph" }, arrow(tip));
  const drawnNodes = [], drawnEdges = [], seen = new Map();
  for (const edge of edges) {
    const { from: a, to: b } = edge;
    if (layer[a] < 0 || layer[b] < 0) { drawnEdges.push(null); continue; }
    const twin = seen.get(`${a} ${b}`) || 0;
    seen.set(`${a} ${b}`, twin + 1);
    const xa = x(a), ya = y(a), xb = x(b), yb = y(b);
    let d, lx, ly, anchor = "start";
    if (a === b) {
      d = `M${xa + r * .7},${ya - r * .7} C${xa + 34},${ya - 28} ${xa + 34},${ya + 28} ${xa + r * .7},${ya + r * .7}`;
      lx = xa + 32; ly = ya + 4 + 14 * twin;
    } else if (layer[b] === layer[a] + 1) {
      const l = Math.hypot(xb - xa, yb - ya), bow = twin * 18;
      const ux = (xb - xa) / l, uy = (yb - ya) / l;
      d = `M${xa + ux * r},${ya + uy * r} Q${(xa + xb) / 2 + bow * uy},${(ya + yb) / 2 - bow * ux} ${xb - ux * r},${yb - uy * r}`;
      const t = .42;
      lx = xa + (xb - xa) * t + 6 + (bow * uy) / 2; ly = ya + (yb - ya) * t + 4 + twin * 13;
    } else { // back, or beside: a bow to the outside
      const side = !labels && xa + xb >= width - 1 ? 1 : -1, // labels of the others are to the right
         reach = 26 + 4 * Math.abs(layer[a] - layer[b]) + twin * 12;
      const cx = (side > 0 ? Math.max(xa, xb) : Math.min(xa, xb)) + side * reach;
      d = `M${xa + side * r},${ya} C${cx},${ya} ${cx},${yb} ${xb + side * r},${yb}`;
      lx = cx - side * reach * .25 + side * 4; ly = (ya + yb) / 2 + 4; anchor = side > 0 ? "start" : "end";
    }
    const group = svg("g", { class: "edge " + (edge.class || "") });
    group.append(svg("path", { d, "marker-end": `url(#${tip})` }), svg("title", {}, edge.title || edge.text || ""));
    if (labels) group.append(svg("text", { x: lx, y: ly, "text-anchor": anchor }, edge.text.length > 26 ? edge.text.slice(0, 25) + "…" : edge.text));
    picture.append(group);
    drawnEdges.push(group);
  }
  nodes.forEach((node, v) => {
    if (layer[v] < 0) { drawnNodes.push(null); return; }
    const group = svg("g", { class: "node " + (node.class || ""), tabindex: 0, role: "button", "data-node": v, "aria-label": node.title || node.text,
      transform: `translate(${x(v)},${y(v)})` });
    group.append(svg("circle", { r }), svg("text", { y: 3.5 }, node.text), svg("title", {}, node.title || node.text));
    if (node.label) group.append(svg("text", { x: r + 6, y: 4, class: "name" }, node.label));
    if (chosen) {
      group.addEventListener("click", () => chosen(v));
      group.addEventListener("keydown", e => { if (e.key === "Enter") { chosen(v); e.preventDefault(); } });
    }
    picture.append(group);
    drawnNodes.push(group);
  });
  return { picture, nodes: drawnNodes, edges: drawnEdges };
}

/** Figures over time, as a line over an area: points are [seconds, value]. */
export function timeline(points, { width = 220, height = 56, label, text }) {
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "timeline", role: "img", "aria-label": `${label}: ${text}`, preserveAspectRatio: "none" });
  const end = Math.max(1e-9, ...points.map(p => p[0])), top = Math.max(1e-9, ...points.map(p => p[1]));
  const at = points.map(([s, v]) => `${(s / end * width).toFixed(1)},${(height - 2 - v / top * (height - 6)).toFixed(1)}`);
  if (at.length > 1) {
    picture.append(svg("path", { d: `M${at[0].split(",")[0]},${height} L${at.join(" L")} L${width},${height} z`, class: "area" }),
      svg("path", { d: `M${at.join(" L")}`, class: "line" }));
  }
  return picture;
}

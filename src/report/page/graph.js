// A graph as a picture: circles or boxes with text, edges with labels, laid out in layers.
import { svg } from "./dom.js";
import { arrow, arrowName } from "./drawing.js";
import { layered } from "./layout.js";

const LINE = 14, LABEL = 30; // height of a line; columns of a label before it is wrapped
let ruler = null;
function widthOf(text) {
  ruler = ruler || document.createElement("canvas").getContext("2d");
  ruler.font = "11px " + getComputedStyle(document.documentElement).getPropertyValue("--mono");
  return ruler.measureText(text).width;
}
/** A text as lines of about so many columns, broken at blanks. */
function wrapped(text, columns = LABEL) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length >= columns) lines.push(word); else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
const block = (lines, x, y, attributes = {}) => svg("text", { ...attributes, y: y - (lines.length - 1) * LINE / 2 + 4 },
  ...lines.map((line, i) => svg("tspan", i ? { x, dy: LINE } : { x }, line)));

// Where an edge leaves or enters: those of one side are apart from each other.
function ports(nodes, edges, routes, place) {
  const sides = new Map();
  edges.forEach((e, i) => {
    if (!routes[i]) return;
    const points = routes[i].points, n = points.length;
    for (const [v, point, next, end] of [[e.from, points[0], points[1], 0], [e.to, points[n - 1], points[n - 2], n - 1]]) {
      const key = `${v} ${next.y > point.y}`;
      sides.set(key, [...(sides.get(key) || []), { v, points, end, x: next.x, down: next.y > point.y }]);
    }
  });
  for (const list of sides.values()) {
    const node = nodes[list[0].v], room = node.lines.length > 1 ? node.half * 1.6 : node.half * 1.2, step = Math.min(12, list.length > 1 ? room / (list.length - 1) : 0);
    list.sort((a, b) => a.x - b.x).forEach((p, i) => {
      const dx = (i - (list.length - 1) / 2) * step, dy = node.box ? node.high / 2 : Math.sqrt(Math.max(0, node.half ** 2 - dx ** 2));
      p.points[p.end] = { x: place[p.v].x + dx, y: place[p.v].y + (p.down ? dy : -dy) };
    });
  }
}
// A quadratic B-spline: the points pull at it.
function curve(points) {
  const at = p => `${p.x.toFixed(1)},${p.y.toFixed(1)}`, middle = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }), last = points.length - 1;
  let d = `M${at(points[0])}`;
  for (let i = 1; i < last; i++) d += ` Q${at(points[i])} ${at(i === last - 1 ? points[last] : middle(points[i], points[i + 1]))}`;
  return last === 1 ? `${d} L${at(points[1])}` : d;
}

function drawLoops(group, list, node, x, y, tip) {
  const r = node.box ? node.high / 2 : node.half, from = x + (node.box ? node.half : r * .8);
  list.forEach(({ group: loop, lines }, k) => {
    const reach = from + 22, dy = Math.min(r * .6, 8);
    loop.append(svg("path", { d: `M${from},${y - dy} C${reach},${y - dy - 10} ${reach},${y + dy + 10} ${from},${y + dy}`, "marker-end": `url(#${tip})` }));
    if (lines.length) loop.append(block(lines, reach - 2, y + (k - (list.length - 1) / 2) * LINE * Math.max(...list.map(l => l.lines.length))));
    group.append(loop);
  });
}

/**
 * nodes: [{text or lines, title, class, label}], edges: [{from, to, text, title, class}]; options: {starts, labels: are
 * texts of edges drawn, distance: see layered(), chosen(node)}. Returns {picture, nodes, edges}: the element of each.
 */
export function graph(nodes, edges, { starts, labels = false, distance = false, chosen }) {
  const tip = arrowName(), edgeLines = edges.map(e => labels && e.text ? e.text.split("\n").flatMap(line => wrapped(line)) : []);
  const wide = lines => Math.ceil(Math.max(0, ...lines.map(widthOf)));
  const loops = new Map();
  edges.forEach((e, i) => { if (e.from === e.to) loops.set(e.from, [...(loops.get(e.from) || []), edgeLines[i]]); });
  const shapes = nodes.map((node, v) => {
    const lines = node.lines || [node.text], box = lines.length > 1 || lines[0].length > 3, own = loops.get(v) || [];
    const half = box ? wide(lines) / 2 + 9 : 12, beside = Math.max(node.label ? widthOf(node.label) + 8 : 0, own.length ? 26 + wide(own.flat()) : 0);
    const high = box ? lines.length * LINE + 8 : 24;
    return { lines, box, half, high, left: half, right: half + beside, height: Math.max(high, own.length * LINE * Math.max(1, ...own.map(l => l.length)) + 6) };
  });
  const plan = layered(shapes, edges.map((e, i) => ({ from: e.from, to: e.to, width: wide(edgeLines[i]), height: edgeLines[i].length * LINE })), { starts, distance, rise: labels ? 14 : 24 });
  const picture = svg("svg", { width: Math.ceil(plan.width), height: Math.ceil(plan.height), class: "graph" }, arrow(tip));
  ports(shapes, edges, plan.edges, plan.nodes);
  const drawnEdges = edges.map((edge, i) => {
    const group = svg("g", { class: "edge " + (edge.class || ""), "data-from": edge.from, "data-to": edge.to }, svg("title", {}, edge.title || edge.text || "")), route = plan.edges[i];
    if (route) {
      group.append(svg("path", { d: curve(route.points), "marker-end": `url(#${tip})` }));
      if (edgeLines[i].length && route.label) group.append(block(edgeLines[i], route.label.x + 6, route.label.y));
    }
    picture.append(group);
    return group;
  });
  const drawnNodes = nodes.map((node, v) => {
    const { x, y } = plan.nodes[v], shape = shapes[v];
    const group = svg("g", { class: "node " + (node.class || ""), tabindex: 0, role: "button", "data-node": v, "aria-label": node.title || node.text, transform: `translate(${x.toFixed(1)},${y.toFixed(1)})` });
    group.append(svg("title", {}, node.title || node.text));
    group.append(shape.box ? svg("rect", { x: -shape.half, y: -shape.high / 2, width: 2 * shape.half, height: shape.high, rx: 6, class: "shape" }) : svg("circle", { r: shape.half, class: "shape" }));
    group.append(block(shape.lines, 0, 0));
    if (node.label) group.append(svg("text", { x: shape.half + 6, y: loops.has(v) ? -10 : 4, class: "name" }, node.label));
    if (chosen) {
      group.addEventListener("click", () => chosen(v));
      group.addEventListener("keydown", e => { if (e.key === "Enter") { chosen(v); e.preventDefault(); e.stopPropagation(); } });
    }
    picture.append(group);
    return group;
  });
  for (const v of loops.keys()) {
    const list = edges.map((e, i) => e.from === v && e.to === v ? { group: drawnEdges[i], lines: edgeLines[i] } : null).filter(Boolean);
    drawLoops(picture, list, shapes[v], plan.nodes[v].x, plan.nodes[v].y, tip);
  }
  return { picture, nodes: drawnNodes, edges: drawnEdges };
}

/** Scrolls the box of a picture until the element is in its middle. */
export function centre(box, element) {
  if (!element) return;
  const inner = element.getBoundingClientRect(), outer = box.getBoundingClientRect();
  if (!outer.height) return;
  box.scrollTop += inner.top - outer.top - outer.height / 2;
  box.scrollLeft += inner.left - outer.left - outer.width / 2;
}

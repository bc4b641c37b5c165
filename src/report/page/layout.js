// Graphs in layers (Sugiyama, Tagawa, Toda: Methods for visual understanding of hierarchical systems,
// 1981): cycles are broken, layers are longest paths, what an edge passes in each layer is an item of
// its own, and so is its label: nothing lies on anything else.

// Edges that lead back, as depth-first search meets them; [order of the nodes, Set of edge numbers].
function brokenCycles(n, edges, starts) {
  const out = Array.from({ length: n }, () => []), mark = new Array(n).fill(0), back = new Set(), order = [];
  edges.forEach((e, i) => { if (e.from !== e.to) out[e.from].push(i); });
  for (const start of [...starts, ...Array.from({ length: n }, (_, v) => v)]) {
    if (mark[start]) continue;
    const stack = [[start, 0]];
    mark[start] = 1;
    order.push(start);
    while (stack.length) {
      const top = stack[stack.length - 1], [v, i] = top;
      if (i === out[v].length) { mark[v] = 2; stack.pop(); continue; }
      top[1]++;
      const to = edges[out[v][i]].to;
      if (mark[to] === 1) back.add(out[v][i]);
      else if (!mark[to]) { mark[to] = 1; order.push(to); stack.push([to, 0]); }
    }
  }
  return [order, back];
}

// The same by distance from the starts: what leads to a state that is nearer leads back.
function byDistance(n, edges, starts) {
  const out = Array.from({ length: n }, () => []), place = new Array(n).fill(-1), order = [], back = new Set();
  edges.forEach(e => out[e.from].push(e.to));
  for (const start of [...starts, ...Array.from({ length: n }, (_, v) => v)]) {
    if (place[start] >= 0) continue;
    const from = order.length;
    place[start] = order.push(start) - 1;
    for (let i = from; i < order.length; i++) for (const to of out[order[i]]) if (place[to] < 0) place[to] = order.push(to) - 1;
  }
  edges.forEach((e, i) => { if (place[e.to] < place[e.from]) back.add(i); });
  return [order, back];
}

// The longest path to each node, without the edges that lead back.
function ranksOf(n, edges, back) {
  const rank = new Array(n).fill(0), left = new Array(n).fill(0), out = Array.from({ length: n }, () => []);
  edges.forEach((e, i) => {
    if (e.from === e.to) return;
    const [a, b] = back.has(i) ? [e.to, e.from] : [e.from, e.to];
    out[a].push(b);
    left[b]++;
  });
  const ready = left.map((count, v) => count ? -1 : v).filter(v => v >= 0);
  for (const v of ready) for (const to of out[v]) { rank[to] = Math.max(rank[to], rank[v] + 1); if (!--left[to]) ready.push(to); }
  return rank;
}

// Least squares with distances that are kept: neighbours that would overlap are moved as one.
function place(items, wanted, gap) {
  const blocks = []; // {sum, weight, items: [item, offset], width of all before the last}
  items.forEach((item, i) => {
    let block = { sum: wanted[i] * item.weight, weight: item.weight, list: [[item, 0]] };
    while (blocks.length) {
      const before = blocks[blocks.length - 1], [last, offset] = before.list[before.list.length - 1], first = block.list[0][0];
      const step = offset + last.right + gap + first.left;
      if (before.sum / before.weight + step <= block.sum / block.weight) break;
      blocks.pop();
      for (const pair of block.list) { pair[1] += step; before.list.push(pair); }
      before.sum += block.sum - step * block.weight;
      before.weight += block.weight;
      block = before;
    }
    blocks.push(block);
  });
  for (const { sum, weight, list } of blocks) for (const [item, offset] of list) item.x = sum / weight + offset;
}

// Long edges are to be straight: Gansner et al., A technique for drawing directed graphs, 1993.
const pull = (a, b) => a.through && b.through ? 8 : a.through || b.through ? 2 : 1;

// A long edge on one line, as far as its neighbours leave room; the label goes with it.
function straighten(run, layers, gap) {
  const sorted = run.map(item => item.x).sort((a, b) => a - b), x = sorted[sorted.length >> 1];
  for (const item of run) {
    const layer = layers[item.rank], before = layer[item.at - 1], next = layer[item.at + 1];
    const least = before ? before.x + before.right + gap + item.left : -Infinity, most = next ? next.x - next.left - gap - item.right : Infinity;
    item.x = Math.max(least, Math.min(most, x));
  }
}

// A line passes a layer straight, beside what is drawn there; only between layers does it turn.
function passing(item, { x, y }, chain) {
  if (item === chain[0] || item === chain[chain.length - 1]) return [{ x, y }];
  const half = item.band / 2 + 3, points = [{ x, y: y - half }, { x, y }, { x, y: y + half }];
  return chain[0].y > item.y ? points.reverse() : points;
}

/**
 * nodes: [{left, right, height}], of what is drawn around the middle; edges: [{from, to, width, height}], of the label
 * (0: none). distance: layers tell how far nodes are from the starts. Returns {width, height, nodes: [{x, y}], edges: [{points: [{x, y}], label: {x, y}}]}, from source to target;
 * loops have null.
 */
export function layered(nodes, edges, { starts = [0], gap = 16, rise = 20, distance = false } = {}) {
  const [order, back] = (distance ? byDistance : brokenCycles)(nodes.length, edges, starts), rank = ranksOf(nodes.length, edges, back), labels = edges.some(e => e.width);
  const per = labels ? 2 : 1, layers = [], put = (r, item) => { (layers[r] = layers[r] || []).push(item); item.rank = r; return item; };
  const items = [];
  for (const v of order) items[v] = put(rank[v] * per, { ...nodes[v], weight: 1, up: [], down: [], x: 0 });
  const link = (a, b) => { a.down.push(b); b.up.push(a); };
  const chains = edges.map((e, i) => {
    if (e.from === e.to) return null;
    const turned = back.has(i), [a, b] = turned ? [items[e.to], items[e.from]] : [items[e.from], items[e.to]], chain = [a];
    const named = turned ? b.rank - 1 : a.rank + 1; // a label is near to where its edge begins
    for (let r = a.rank + 1; r < b.rank; r++) {
      const label = r === named && e.width;
      chain.push(put(r, { left: 4, right: label ? e.width + 8 : 4, height: label ? e.height : 0, weight: label ? 1 : 4, up: [], down: [], x: 0, label, through: true }));
    }
    chain.push(b);
    chain.forEach((item, k) => { if (k) link(chain[k - 1], item); });
    return turned ? chain.reverse() : chain;
  });
  const settle = layer => layer.forEach((item, i) => { item.at = i; });
  const middle = (item, near) => near.length ? near.reduce((sum, o) => sum + o.at, 0) / near.length : item.at;
  layers.forEach(settle);
  for (let sweep = 0; sweep < 16; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const key = new Map(layer.map(item => [item, middle(item, down ? item.up : item.down)]));
      layer.sort((a, b) => key.get(a) - key.get(b) || a.at - b.at);
      settle(layer);
    }
  }
  for (const layer of layers) place(layer, layer.map(() => 0), gap);
  for (let sweep = 0; sweep < 60; sweep++) {
    const down = sweep % 2 === 0, both = sweep > 15;
    for (const layer of down ? layers : [...layers].reverse()) {
      place(layer, layer.map(item => {
        const near = both ? [...item.up, ...item.down] : down ? item.up : item.down, total = near.reduce((sum, o) => sum + pull(item, o), 0);
        return total ? near.reduce((sum, o) => sum + pull(item, o) * o.x, 0) / total : item.x;
      }), gap);
    }
  }
  const runs = chains.filter(chain => chain && chain.length > 3).map(chain => chain.slice(1, -1));
  for (let sweep = 0; sweep < 4; sweep++) for (const run of runs) straighten(run, layers, gap);
  let y = rise;
  for (const layer of layers) {
    const height = Math.max(0, ...layer.map(item => item.height));
    for (const item of layer) { item.y = y + height / 2; item.band = height; }
    y += height + rise;
  }
  const all = layers.flat(), left = Math.min(...all.map(item => item.x - item.left)) - gap, at = item => ({ x: item.x - left, y: item.y });
  return { width: Math.max(...all.map(item => item.x + item.right)) - left + gap, height: y, nodes: items.map(at),
    edges: chains.map(chain => chain && { points: chain.flatMap(item => passing(item, at(item), chain)), label: chain.filter(item => item.label).map(at)[0] || null }) };
}

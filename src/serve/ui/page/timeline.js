// Figures over time.
import { svg } from "./dom.js";

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

/** The license's own map, drawn without a network: land, layout, and where the phone stands. */

import { say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const METRES_PER_DEGREE = 111_320;

/** @param {any} checklist with ``site`` and ``layout`` @param {any} place the fix, or null */
export function siteMap(checklist, place) {
  const features = (checklist.layout?.features ?? []).filter((f) => f.properties.role !== "site");
  const centre = points(checklist.site)[0] ?? [0, 0];
  const across = METRES_PER_DEGREE * Math.cos((centre[1] * Math.PI) / 180);
  const project = ([x, y]) => [(x - centre[0]) * across, (centre[1] - y) * METRES_PER_DEGREE];
  const frame = points(checklist.site).map(project);
  const here = place && project([place.lon_e7 / 1e7, place.lat_e7 / 1e7]);
  const radius = place ? place.accuracy_mm / 1000 : 0;
  const [xs, ys] = [0, 1].map((axis) => [...frame, ...(here ? [here] : [])].map((p) => p[axis]));
  const pad = Math.max(20, radius);
  const box = [Math.min(...xs) - pad, Math.min(...ys) - pad,
    Math.max(...xs) - Math.min(...xs) + 2 * pad, Math.max(...ys) - Math.min(...ys) + 2 * pad];
  const size = box[2] / 100; // so that marks have one size on the screen, whatever the land's
  const map = node("svg", { viewBox: box.join(" "), role: "img", class: "site-map", "aria-label": say("map") });
  map.append(shape(checklist.site, project, size, "land"));
  for (const one of features) {
    const drawn = shape(one.geometry, project, size, `role role-${one.properties.role}`);
    const label = node("title");
    label.textContent = one.properties.name ?? one.properties.role.replaceAll("_", " ");
    drawn.append(label);
    map.append(drawn);
  }
  if (here) {
    map.append(node("circle", { cx: here[0], cy: here[1], r: Math.max(radius, size), class: "accuracy" }),
      node("circle", { cx: here[0], cy: here[1], r: size, class: "here" }));
  }
  return map;
}

function node(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function points(geometry) {
  if (!geometry) return [];
  const flat = (part) => (typeof part[0] === "number" ? [part] : part.flatMap(flat));
  return flat(geometry.coordinates);
}

function shape(geometry, project, size, kind) {
  const group = node("g", { class: kind });
  const { type, coordinates } = geometry;
  const parts = type.startsWith("Multi") ? coordinates : [coordinates];
  for (const part of parts) {
    if (type.endsWith("Point")) {
      const [cx, cy] = project(part);
      group.append(node("circle", { cx, cy, r: size * 0.8 }));
    } else {
      const rings = type.endsWith("Polygon") ? part : [part];
      const path = rings.map((r) => `M${r.map((p) => project(p).map((n) => n.toFixed(1)).join(" ")).join("L")}`);
      group.append(node("path", { d: path.join(""), class: type.endsWith("Polygon") ? "area" : "line" }));
    }
  }
  return group;
}

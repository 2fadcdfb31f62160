"use strict";
const $ = (id) => document.getElementById(id);
const settings = JSON.parse($("settings").textContent);
const WORDS = settings.verdicts.map((v) => v.word), NONE = WORDS.indexOf("not-determined");
const UNBOUND = WORDS.indexOf("not-applicable"), FAILS = WORDS.indexOf("does-not-comply"), OK = WORDS.indexOf("complies");
const REVIEW = WORDS.indexOf("needs-review");
const parts = [], canvas = $("map"), ink = canvas.getContext("2d");
let questions = [], box = [Infinity, Infinity, -Infinity, -Infinity], view = null, chosen = null, off = new Set(), shrink = 1, queued = false;

async function inflated(text) {
  const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
function varints(bytes, count) {
  const found = new Float64Array(count);
  for (let n = 0, at = 0; n < count; n++) {
    let value = 0, weight = 1, byte;
    do { byte = bytes[at++]; value += (byte & 127) * weight; weight *= 128; } while (byte > 127);
    found[n] = value;
  }
  return found;
}
const unzigzag = (v) => (v % 2 ? -(v + 1) / 2 : v / 2);
const sum = (list) => list.reduce((a, b) => a + b, 0);
function running(steps) {
  const found = new Int32Array(steps.length);
  for (let n = 0, at = 0; n < steps.length; n++) found[n] = at += unzigzag(steps[n]);
  return found;
}
function starts(counts) {
  const found = new Int32Array(counts.length + 1);
  for (let n = 0; n < counts.length; n++) found[n + 1] = found[n] + counts[n];
  return found;
}
function decoded(bytes) {
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let at = 4 + length, n = 0;
  const next = (count) => { const of = varints(bytes.subarray(at, at + head.bytes[n]), count); at += head.bytes[n++]; return of; };
  const rings = next(head.rows), corners = next(sum(rings)), many = sum(corners);
  const part = { rows: head.rows, ring: starts(rings), corner: starts(corners), x: running(next(many)), y: running(next(many)), columns: {} };
  for (const column of head.columns) part.columns[column.name] = { ...column, codes: next(head.rows) };
  return part;
}
function value(part, name, row) {
  const column = part.columns[name], code = column ? column.codes[row] : 0;
  if (!code) return null;
  return column.words ? column.words[code - 1] : unzigzag(code - 1) / column.scale;
}
function measured(part) {
  part.boxes = new Int32Array(part.rows * 4);
  for (let row = 0; row < part.rows; row++) {
    let w = 2e9, s = 2e9, e = -2e9, n = -2e9;
    for (let i = part.corner[part.ring[row]]; i < part.corner[part.ring[row + 1]]; i++) {
      w = Math.min(w, part.x[i]); e = Math.max(e, part.x[i]); s = Math.min(s, part.y[i]); n = Math.max(n, part.y[i]);
    }
    part.boxes.set([w, s, e, n], row * 4);
    if (w <= e) box = [Math.min(box[0], w), Math.min(box[1], s), Math.max(box[2], e), Math.max(box[3], n)];
  }
  part.verdicts = {};
  for (const name of questions) {
    const column = part.columns[name], as = column.words.map((w) => WORDS.indexOf(w));
    part.verdicts[name] = Uint8Array.from(column.codes, (code) => (code ? as[code - 1] : NONE));
  }
  part.verdicts.all = Uint8Array.from({ length: part.rows }, (_, row) => worst(part, row));
  part.capacity = Float64Array.from({ length: part.rows }, (_, row) => value(part, "capacity", row) ?? NaN);
}
function worst(part, row) {
  if (part.verdicts.verdict_jurisdiction?.[row] === UNBOUND) return UNBOUND;
  const said = questions.map((name) => part.verdicts[name][row]);
  for (const verdict of [FAILS, NONE, REVIEW, OK]) if (said.includes(verdict)) return verdict;
  return UNBOUND;
}
const ROOM = { [REVIEW]: "estimate reaches it", [FAILS]: "estimate is below it", [NONE]: "no estimate", [UNBOUND]: "ordinance does not bind" };
function verdictOf(part, row) {
  const question = $("question").value;
  if (question !== "room") return part.verdicts[question][row];
  if (part.verdicts.verdict_jurisdiction?.[row] === UNBOUND) return UNBOUND;
  const held = part.capacity[row];
  return Number.isNaN(held) ? NONE : held >= persons() ? REVIEW : FAILS;
}
const persons = () => Math.max(1, Number($("persons").value) || 1);
const shows = (part, row, verdict) => !off.has(verdict) && (!$("roomy").checked || part.capacity[row] >= persons());
const hatched = (to) => {
  const tile = new OffscreenCanvas(8, 8), pen = tile.getContext("2d");
  pen.fillStyle = settings.verdicts[NONE].fill; pen.fillRect(0, 0, 8, 8);
  pen.strokeStyle = "#555"; pen.lineWidth = 1.2; pen.beginPath();
  for (const d of [-8, 0, 8]) { pen.moveTo(d, 8); pen.lineTo(d + 8, 0); }
  pen.stroke();
  return to.createPattern(tile, "repeat");
};
const fillOf = (verdict, to) => (verdict === NONE ? hatched(to) : settings.verdicts[verdict].fill);
const place = (x, y) => [(x - view.x) * view.k * shrink + canvas.width / 2, (view.y - y) * view.k + canvas.height / 2];
const back = (px, py) => [(px - canvas.width / 2) / (view.k * shrink) + view.x, view.y - (py - canvas.height / 2) / view.k];
function trace(path, part, row) {
  for (let r = part.ring[row]; r < part.ring[row + 1]; r++) {
    for (let i = part.corner[r]; i < part.corner[r + 1]; i++) {
      const [px, py] = place(part.x[i], part.y[i]);
      if (i === part.corner[r]) path.moveTo(px, py); else path.lineTo(px, py);
    }
    path.closePath();
  }
}
function draw() {
  queued = false;
  const ratio = window.devicePixelRatio || 1, size = canvas.getBoundingClientRect();
  canvas.width = Math.max(1, Math.round(size.width * ratio)); canvas.height = Math.max(1, Math.round(size.height * ratio));
  if (!view) showAll();
  const [west, north] = back(0, 0), [east, south] = back(canvas.width, canvas.height), one = 1 / view.k;
  const paths = WORDS.map(() => new Path2D()), specks = WORDS.map(() => new Path2D());
  for (const part of parts) for (let row = 0; row < part.rows; row++) {
    const [w, s, e, n] = part.boxes.subarray(row * 4, row * 4 + 4);
    if (w > e || e < west || w > east || n < south || s > north) continue;
    const verdict = verdictOf(part, row);
    if (!shows(part, row, verdict)) continue;
    if (e - w < one && n - s < one) { const [px, py] = place(w, n); specks[verdict].rect(px, py, 1, 1); } else trace(paths[verdict], part, row);
  }
  ink.lineWidth = Math.min(1, view.k * 400) * ratio * 0.6; ink.strokeStyle = "rgba(40,40,40,.65)";
  WORDS.forEach((_, verdict) => { ink.fillStyle = fillOf(verdict, ink); ink.fill(specks[verdict]); ink.fill(paths[verdict], "evenodd"); });
  WORDS.forEach((_, verdict) => ink.stroke(paths[verdict]));
  if (chosen) {
    const path = new Path2D(); trace(path, ...chosen);
    for (const [colour, width] of [["#fff", 6], ["#0b57d0", 3]]) { ink.strokeStyle = colour; ink.lineWidth = width * ratio; ink.stroke(path); }
  }
  if (canvas.matches(":focus-visible")) cross(ratio);
  scale(ratio);
}
function cross(ratio) {
  const [x, y] = [canvas.width / 2, canvas.height / 2];
  for (const [colour, width] of [["#fff", 5], ["#000", 2]]) {
    ink.strokeStyle = colour; ink.lineWidth = width * ratio; ink.beginPath();
    ink.moveTo(x - 9 * ratio, y); ink.lineTo(x + 9 * ratio, y); ink.moveTo(x, y - 9 * ratio); ink.lineTo(x, y + 9 * ratio); ink.stroke();
  }
}
function scale(ratio) {
  const metres = 0.11132 / view.k * ratio, most = metres * 110, mile = 1609.344;
  const step = [100, 50, 20, 10, 5, 2, 1, 0.5, 0.25, 0.1, 0.05].find((m) => m * mile <= most) || 0.02;
  $("bar").style.width = `${step * mile / metres}px`; $("length").textContent = `${step} mi`;
}
const later = () => { if (!queued) { queued = true; requestAnimationFrame(draw); } };
function showAll() {
  if (box[0] > box[2]) box = [-1e6, -1e6, 1e6, 1e6];
  shrink = Math.cos((box[1] + box[3]) / 2e6 * Math.PI / 180);
  const k = 0.94 * Math.min(canvas.width / (shrink * Math.max(200, box[2] - box[0])), canvas.height / Math.max(200, box[3] - box[1]));
  view = { x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2, k, least: k / 4 };
  later();
}
function zoom(by, px = canvas.width / 2, py = canvas.height / 2) {
  const [x, y] = back(px, py);
  view.k = Math.min(1, Math.max(view.least, view.k * by));
  const [nx, ny] = back(px, py);
  view.x += x - nx; view.y += y - ny; later();
}
function pan(dx, dy) { view.x -= dx / (view.k * shrink); view.y += dy / view.k; later(); }
function inside(part, row, x, y) {
  let odd = false;
  for (let r = part.ring[row]; r < part.ring[row + 1]; r++) {
    const from = part.corner[r], to = part.corner[r + 1];
    for (let i = from, j = to - 1; i < to; j = i++) {
      if (part.y[i] > y !== part.y[j] > y && x < (part.x[j] - part.x[i]) * (y - part.y[i]) / (part.y[j] - part.y[i]) + part.x[i]) odd = !odd;
    }
  }
  return odd;
}
function at(px, py) {
  const [x, y] = back(px, py);
  for (const part of parts) for (let row = 0; row < part.rows; row++) {
    const b = row * 4;
    if (part.boxes[b] > x || part.boxes[b + 2] < x || part.boxes[b + 1] > y || part.boxes[b + 3] < y) continue;
    if (shows(part, row, verdictOf(part, row)) && inside(part, row, x, y)) return [part, row];
  }
  return null;
}
const element = (name, text, kind) => { const made = document.createElement(name); if (text !== undefined) made.textContent = text; if (kind) made.className = kind; return made; };
const plain = (name) => name.replace(/^verdict_/, "").replace(/_m$/, "").replace(/_/g, " ");
function told(name, of) {
  if (typeof of !== "number") return of === "true" ? "yes" : of === "false" ? "no" : String(of);
  if (/_share|_coverage|_ring_high/.test(name)) return `${(of * 100).toFixed(of && of < 0.1 ? 2 : 1)} %`;
  return of.toLocaleString("en-US") + (/_m$/.test(name) ? " m" : /_minutes$/.test(name) ? " min" : "");
}
function rows(title, list) {
  const table = element("table");
  for (const [name, text, kind] of list) { const line = element("tr"), key = element("th", name); key.scope = "row"; line.append(key, element("td", text, kind)); table.append(line); }
  return [element("h3", title), table];
}
function choose(found) {
  chosen = found;
  const panel = $("parcel"); panel.replaceChildren();
  if (!found) { panel.append(element("h2", "No parcel here"), element("p", "Click on a parcel, or press Enter on the map.")); return later(); }
  const [part, row] = found, names = Object.keys(part.columns);
  panel.append(element("h2", `Parcel ${value(part, names[0], row) ?? ""}`));
  const held = part.capacity[row], n = persons().toLocaleString("en-US");
  if (!Number.isNaN(held)) panel.append(element("p", `Capacity estimate ${held.toLocaleString("en-US")} persons: ${held >= persons() ? "reaches" : "below"} ${n}.`));
  panel.append(...rows("Verdicts", questions.map((q) => { const word = WORDS[part.verdicts[q][row]]; return [plain(q), word.replace(/-/g, " "), word]; })));
  const rest = names.filter((name) => !questions.includes(name) && value(part, name, row) !== null);
  panel.append(...rows("Measures", rest.map((name) => [plain(name), told(name, value(part, name, row))])));
  later();
}
function refresh() {
  const counts = WORDS.map(() => 0);
  let all = 0, seen = 0, broken = 0;
  for (const part of parts) for (let row = 0; row < part.rows; row++) {
    all++;
    if (part.ring[row] === part.ring[row + 1]) { broken++; continue; }
    const verdict = verdictOf(part, row); counts[verdict]++;
    if (shows(part, row, verdict)) seen++;
  }
  const room = $("question").value === "room";
  document.querySelectorAll("#legend label").forEach((label, verdict) => {
    label.children[2].textContent = room ? ROOM[verdict] || "" : WORDS[verdict].replace(/-/g, " ");
    label.children[3].textContent = counts[verdict].toLocaleString("en-US");
    label.hidden = room && !ROOM[verdict]; label.style.display = label.hidden ? "none" : "";
  });
  $("count").textContent = `${seen.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} parcels shown.` + (broken ? ` ${broken.toLocaleString("en-US")} have no usable outline.` : "");
  if (chosen) choose(chosen); else later();
}
function legend() {
  settings.verdicts.forEach((_, verdict) => {
    const label = element("label"), tick = element("input"), swatch = element("canvas"), pen = swatch.getContext("2d");
    tick.type = "checkbox"; tick.checked = true; tick.dataset.verdict = WORDS[verdict];
    swatch.width = 24; swatch.height = 16; swatch.setAttribute("aria-hidden", "true");
    pen.fillStyle = fillOf(verdict, pen); pen.fillRect(0, 0, 24, 16);
    tick.addEventListener("change", () => { if (tick.checked) off.delete(verdict); else off.add(verdict); refresh(); });
    label.append(tick, swatch, element("span"), element("span")); $("legend").append(label);
  });
}
function find(text) {
  for (const part of parts) for (let row = 0; row < part.rows; row++) {
    for (const name of Object.keys(part.columns)) {
      if (String(value(part, name, row)) === text) {
        const [w, s, e, n] = part.boxes.subarray(row * 4, row * 4 + 4);
        if (w <= e) { view.x = (w + e) / 2; view.y = (s + n) / 2; view.k = Math.max(view.k, Math.min(1, 0.2 * canvas.height / Math.max(200, n - s))); }
        return choose([part, row]);
      }
      if (name === "row") break;  // identifiers stand before it
    }
  }
  $("parcel").replaceChildren(element("h2", "Not found"), element("p", `No parcel has the identifier or row ${text}.`));
}
function listen() {
  const held = new Map(); let moved = 0;
  const spot = (e) => { const r = canvas.getBoundingClientRect(), k = canvas.width / r.width; return [(e.clientX - r.left) * k, (e.clientY - r.top) * k]; };
  canvas.addEventListener("pointerdown", (e) => { if (!held.size) moved = 0; held.set(e.pointerId, spot(e)); canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", (e) => {
    const was = held.get(e.pointerId); if (!was) return;
    const now = spot(e), other = [...held].find(([id]) => id !== e.pointerId)?.[1];
    moved += Math.hypot(now[0] - was[0], now[1] - was[1]);
    if (other) { const far = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]); zoom(far(now) / Math.max(1, far(was)), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2); moved = 99; } else pan(now[0] - was[0], now[1] - was[1]);
    held.set(e.pointerId, now);
  });
  canvas.addEventListener("pointerup", (e) => { const last = held.get(e.pointerId); held.delete(e.pointerId); if (last && moved < 6 && !held.size) choose(at(...last)); });
  canvas.addEventListener("pointercancel", (e) => held.delete(e.pointerId));
  canvas.addEventListener("wheel", (e) => { e.preventDefault(); zoom(Math.exp(-e.deltaY / 400), ...spot(e)); }, { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const step = canvas.height / 8;
    const act = { ArrowLeft: () => pan(step, 0), ArrowRight: () => pan(-step, 0), ArrowUp: () => pan(0, step), ArrowDown: () => pan(0, -step), "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: showAll, Enter: () => choose(at(canvas.width / 2, canvas.height / 2)) }[e.key];
    if (act && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); act(); }
  });
  for (const name of ["focus", "blur"]) canvas.addEventListener(name, later);
  $("in").addEventListener("click", () => zoom(1.5)); $("out").addEventListener("click", () => zoom(1 / 1.5)); $("all").addEventListener("click", showAll);
  for (const id of ["question", "persons", "roomy"]) $(id).addEventListener("input", refresh);
  $("find").addEventListener("submit", (e) => { e.preventDefault(); find($("sought").value.trim()); });
  for (const name of ["resize", "beforeprint", "afterprint"]) window.addEventListener(name, name === "resize" ? later : draw);
}
async function begin() {
  for (const block of document.querySelectorAll("script.part")) { parts.push(decoded(await inflated(block.textContent))); block.remove(); }
  questions = Object.keys(parts[0]?.columns || {}).filter((name) => name.startsWith("verdict_"));
  parts.forEach(measured);
  for (const [name, words] of [["all", "all questions together"], ["room", "capacity estimate against the persons"], ...questions.map((q) => [q, plain(q)])]) $("question").append(new Option(words, name));
  $("persons").value = settings.persons || 350;
  legend(); listen(); refresh();
  document.body.dataset.ready = "yes";
}
begin();

/** The field application: knows all the others, holds what is on the screen. */

import { ask } from "./county.js";
import { byId, h } from "./dom.js";
import { itemScreen } from "./item.js";
import { listScreen } from "./list.js";
import { drain, drainSoon, onChange, standing, tidy } from "./outbox.js";
import { queueScreen } from "./queue.js";
import { phoneName, register, secretIn } from "./register.js";
import { dress, settingsScreen } from "./settings.js";
import { all, get, persist, put } from "./store.js";
import { figure, say } from "./words.js";

const EVERY_MS = 30_000;
let device, checklist, persisted = false, missing = [], drawing = 0;

async function start() {
  dress();
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register("/field/sw.js", { scope: "/field/" }).catch(console.error);
  }
  device = await get("meta", "device");
  if (!device) {
    byId("screen").replaceChildren(stranger());
    return;
  }
  checklist = await get("meta", "checklist");
  await draw();
  persisted = await persist();
  onChange(showStanding);
  onChange(() => { if (location.hash === "#/queue") draw(); });
  window.addEventListener("hashchange", draw);
  // There is no background sync on half of the phones: the page itself sends, whenever it can.
  for (const kind of ["online", "focus", "pageshow"]) window.addEventListener(kind, () => refresh());
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  setInterval(refresh, EVERY_MS);
  await showStanding();
  await refresh();
  await tidy();
}

/**
 * The home-screen application of an iPhone has a storage of its own: a link that was opened in
 * Safari enrolled Safari, so a link can be pasted here too.
 */
function stranger() {
  const link = h("input", { autocomplete: "off", id: "link" }), told = h("p", { role: "status" });
  const enrol = async (event) => {
    event.preventDefault();
    try {
      await register(secretIn(link.value), phoneName());
      location.reload();
    } catch (error) {
      told.textContent = say("failed", error.message);
    }
  };
  return h("article", {}, h("h1", {}, say("not_enrolled")), h("p", {}, say("how_enrol")),
    h("form", { onsubmit: enrol }, h("label", { class: "field" }, say("paste"), link),
      h("button", { class: "button main", type: "submit" }, say("enrol"))), told);
}

/** Send what waits, then ask what the county has and whether the checklist changed. */
async function refresh() {
  await drain();
  try {
    const number = (await get("meta", "number"))?.seq ?? 0;
    const own = await ask(device, "GET", `/api/v1/devices/me?highest=${number}`);
    if (own.status === 200) {
      missing = own.body.missing;
      await resend(missing);
    }
    const given = await ask(device, "GET", `/api/v1/licences/${device.licence_id}/checklist`);
    if (given.status === 200) {
      const newer = !checklist || JSON.stringify(checklist.licence) !== JSON.stringify(given.body.licence)
        || checklist.version !== given.body.version;
      checklist = given.body;
      await put("meta", checklist, "checklist");
      if (newer && !location.hash.startsWith("#/item/")) await draw();
    }
  } catch { /* no signal: what is here is enough to work with */ }
  await showStanding();
}

/** The county was set back to an older copy: what it lacks and this phone still has goes again. */
async function resend(numbers) {
  const lost = new Set(numbers);
  for (const one of await all("items")) {
    if (one.state === "received" && !one.carried && lost.has(one.seq)) {
      await put("items", { ...one, state: "waiting" });
      drainSoon(0);
    }
  }
}

async function draw() {
  const mine = ++drawing;
  const screen = await chosen();
  if (mine !== drawing) return;
  byId("screen").replaceChildren(screen);
  if (location.hash.length > 2) window.scrollTo(0, 0);
  title();
}

async function chosen() {
  const [, page, id] = location.hash.split("/");
  if (page === "settings") return settingsScreen(device, persisted, draw);
  if (page === "queue") return queueScreen(checklist?.licence.time_zone, missing);
  if (!checklist) return h("p", {}, say("no_checklist"));
  const records = (await all("items")).filter((one) => !one.carried);
  const item = page === "item" && checklist.items.find((i) => i.id === decodeURIComponent(id));
  if (!item) {
    const list = listScreen(checklist, records, await all("drafts"));
    // Safari empties the storage of a page in a tab after seven days; the home screen is spared.
    if (navigator.standalone === false) list.prepend(h("p", { class: "card alarm" }, say("persist_no")));
    return list;
  }
  const own = records.filter((r) => r.item.item_id === item.id).sort((a, b) => b.seq - a.seq)[0];
  return itemScreen(item, checklist, own, () => {
    byId("toast").textContent = say("kept");
    setTimeout(() => { byId("toast").textContent = ""; }, 5000);
    location.hash = "#/";
  });
}

function title() {
  byId("event").textContent = checklist?.licence.event ?? say("title");
  const state = checklist?.licence.state;
  byId("licence").textContent = state && state !== "in-force" ? say("licence_state", state) : "";
  byId("settings").textContent = say("settings");
}

async function showStanding() {
  const { waiting, aside, received, photos, trouble } = await standing();
  const parts = [waiting ? say("waiting", figure(waiting)) : null,
    photos ? say("photos_waiting", figure(photos)) : null, aside ? say("aside", figure(aside)) : null,
    received ? say("received", figure(received)) : null];
  const told = parts.filter(Boolean);
  const line = byId("standing");
  line.textContent = told.length ? told.join(" · ") : say("nothing");
  line.className = aside ? "aside" : waiting || photos ? "waiting" : "clear";
  const why = trouble === "no-signal" ? (navigator.onLine ? say("portal") : say("offline")) : trouble;
  byId("signal").textContent = waiting || photos || !navigator.onLine ? why || "" : "";
}

start();

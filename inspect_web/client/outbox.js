/**
 * The queue: an item is signed and on the disk before anybody hears of it, sent until the county's
 * signed receipt is here, and never removed without one.
 *
 * States of an item: waiting → received, or set-aside when the county cannot take it as it is.
 */

import { wait } from "./backoff.js";
import { canonicalBytes } from "./canonical.js";
import { now } from "./clock.js";
import { ask, NoAnswer } from "./county.js";
import { all, get, put, together } from "./store.js";
import { sha256, sign, verified } from "./sign.js";

const CHUNK = 256 * 1024;
const HAS_IT = [200, 201, 202, 409];
const CANNOT_TAKE = [400, 413, 415, 422];
let failures = 0, timer = 0, last = { at: 0, trouble: "" };
/** @type {Set<() => void>} */
const listeners = new Set();

/** Be told of every change. @param {() => void} listener */
export const onChange = (listener) => { listeners.add(listener); };
const tell = () => { for (const listener of listeners) listener(); };
// Another tab of this phone shows the same queue.
const others = "BroadcastChannel" in globalThis ? new BroadcastChannel("inspect-queue") : null;
if (others) others.onmessage = tell;
const changed = () => { tell(); others?.postMessage("changed"); };

/**
 * Two tabs share one queue: only one of them numbers, and only one sends.
 * @template T @param {string} name @param {() => Promise<T>} work @param {boolean} [orLeave]
 */
async function alone(name, work, orLeave = false) {
  if (!navigator.locks) return work();
  return navigator.locks.request(name, { ifAvailable: orLeave }, (lock) => (lock ? work() : undefined));
}

/** Number, chain and sign a finished draft, and put it into the queue in one transaction. */
export const enqueue = (draft) =>
  alone("inspect-number", async () => {
    const device = await get("meta", "device");
    const { seq, prev } = (await get("meta", "number")) ?? { seq: 0, prev: "" };
    const item = {
      id: draft.id, device_id: device.device_id, seq: seq + 1, prev,
      licence_id: device.licence_id, checklist_version: draft.version, item_id: draft.condition,
      finding: draft.finding, answer: draft.answer, note: draft.note, ...(await now()),
      place: draft.place, corrects: draft.corrects ?? "",
      photos: draft.photos.map(({ sha256: sha, bytes, type }) => ({ sha256: sha, bytes, type })),
    };
    const bytes = canonicalBytes(item);
    const signature = await sign(device.key, bytes);
    const digest = await sha256(bytes);
    await together(["items", "drafts", "meta"], (stores) => {
      stores.items.put({ id: item.id, seq: item.seq, item, signature, digest, state: "waiting" });
      stores.drafts.delete(draft.condition);
      stores.meta.put({ seq: item.seq, prev: digest }, "number");
    });
    changed();
    drainSoon(0);
    return item;
  });

/** How things stand, for the line that is always visible. */
export async function standing() {
  const [items, photos] = [await all("items"), await all("photos")];
  const queued = new Set(items.flatMap((i) => i.item.photos.map((p) => p.sha256)));
  return {
    waiting: items.filter((i) => i.state === "waiting").length,
    aside: items.filter((i) => i.state === "set-aside").length,
    received: items.filter((i) => i.state === "received").length,
    photos: photos.filter((p) => p.state === "waiting" && queued.has(p.sha256)).length,
    trouble: last.trouble, at: last.at,
  };
}

/** Send what waits; called on open, focus, online, by timer and by the button. */
export function drainSoon(ms = 0) {
  clearTimeout(timer);
  timer = setTimeout(drain, ms);
}

export const drain = () =>
  alone("inspect-send", async () => {
    const device = await get("meta", "device");
    if (!device) return;
    try {
      const items = (await all("items"))
        .sort((a, b) => a.item.device_id.localeCompare(b.item.device_id) || a.seq - b.seq);
      for (const one of items.filter((i) => i.state === "waiting")) await sendItem(device, one);
      const queued = new Set(items.flatMap((i) => i.item.photos.map((p) => p.sha256)));
      for (const photo of await all("photos")) {
        if (photo.state === "waiting" && queued.has(photo.sha256)) await sendPhoto(device, photo);
      }
      failures = 0;
      last = { at: Date.now(), trouble: "" };
    } catch (error) {
      if (!(error instanceof NoAnswer)) console.error(error);
      failures += 1;
      last = { ...last, trouble: error instanceof Refused ? error.message : "no-signal" };
    }
    const left = await standing();
    if (left.waiting || left.photos) drainSoon(wait(failures));
    changed();
  }, true);

class Refused extends Error {}

async function sendItem(device, one) {
  const body = canonicalBytes({ item: one.item, signature: one.signature });
  const answer = await ask(device, "POST", "/api/v1/items", {
    body, headers: { "Content-Type": "application/json" },
  });
  if (HAS_IT.includes(answer.status) && answer.body.receipt) {
    const { receipt, signature } = answer.body;
    const genuine = await verified(device.server_key, signature, canonicalBytes(receipt));
    if (!genuine || receipt.item_sha256 !== one.digest || receipt.item_id !== one.id) {
      throw new NoAnswer("a receipt that the county did not sign");
    }
    await put("items", { ...one, state: "received", receipt, signature_of_county: signature,
                         as: answer.body.quarantined ? "quarantined" : answer.status === 409 ? "variant" : "item" });
  } else if (CANNOT_TAKE.includes(answer.status)) {
    // It stays here and is shown; the ones behind it go on.
    await put("items", { ...one, state: "set-aside", problem: answer.body });
  } else {
    throw new Refused(`${answer.status} ${answer.body.code ?? ""}`);
  }
  changed();
}

async function sendPhoto(device, photo) {
  const path = `/api/v1/photos/${photo.sha256}`;
  const data = new Uint8Array(photo.data);
  // Some browsers have mixed up or emptied stored files: what is sent is what was hashed.
  if ((await sha256(data)) !== photo.sha256) {
    await put("photos", { ...photo, state: "set-aside", problem: { code: "damaged-on-phone" } });
    return;
  }
  let { body: { offset, complete } } = await ask(device, "GET", path);
  while (!complete && offset < data.length) {
    const answer = await ask(device, "PATCH", path, {
      body: data.slice(offset, offset + CHUNK),
      headers: { "Content-Type": "application/octet-stream", "Upload-Offset": String(offset),
                 "Upload-Length": String(data.length) },
    });
    if (answer.status === 204 || answer.status === 409) {
      offset = Number(answer.headers.get("Upload-Offset"));
      complete = answer.headers.get("Upload-Complete") === "?1";
    } else if (CANNOT_TAKE.includes(answer.status)) {
      await put("photos", { ...photo, state: "set-aside", problem: answer.body });
      return;
    } else {
      throw new Refused(`${answer.status} ${answer.body.code ?? ""}`);
    }
  }
  if (!complete) throw new NoAnswer("the photo is not complete");
  await put("photos", { ...photo, state: "received" });
  changed();
}

/** Try again what was set aside. */
export async function retryAside() {
  for (const kind of ["items", "photos"]) {
    for (const one of await all(kind)) {
      if (one.state === "set-aside") await put(kind, { ...one, state: "waiting" });
    }
  }
  changed();
  drainSoon(0);
}

// Local copies go only when the county has item and photos and 30 days have passed.
const KEEP_MS = 30 * 24 * 3600 * 1000;

export async function tidy(at = Date.now()) {
  for (const one of await all("items")) {
    const old = one.state === "received" && Date.parse(one.receipt.received_at) + KEEP_MS < at;
    if (!old) continue;
    const photos = await Promise.all(one.item.photos.map((p) => get("photos", p.sha256)));
    if (photos.some((p) => p && p.state !== "received")) continue;
    await together(["items", "photos"], (stores) => {
      stores.items.delete(one.id);
      for (const photo of one.item.photos) stores.photos.delete(photo.sha256);
    });
  }
}

/** What is on this phone: each record with its state, sending now, and the queue as a file. */

import { h } from "./dom.js";
import { takeOver } from "./handover.js";
import { drainSoon, retryAside } from "./outbox.js";
import { all } from "./store.js";
import { clockTime, figure, say } from "./words.js";
import { zip } from "./zip.js";

/** @param {string} zone @param {number[]} missing numbers that the county says never arrived */
export async function queueScreen(zone, missing) {
  const items = (await all("items")).sort((a, b) => b.seq - a.seq);
  const photos = Object.fromEntries((await all("photos")).map((p) => [p.sha256, p]));
  return h("article", {}, h("p", {}, h("a", { class: "button small", href: "#/" }, `← ${say("list")}`)),
    h("h1", {}, say("queue")),
    h("div", { class: "actions" },
      h("button", { class: "button main", onclick: () => drainSoon(0) }, say("send")),
      h("button", { class: "button", onclick: exportQueue }, say("export")),
      items.some((i) => i.state === "set-aside") &&
        h("button", { class: "button", onclick: retryAside }, say("retry")),
      h("label", { class: "button photo" }, say("take_over"),
        h("input", { type: "file", accept: ".zip,application/zip", class: "unseen", onchange: receive }))),
    h("p", { id: "taken", role: "status" }),
    missing.length ? h("p", { class: "alarm" }, say("missing", missing.join(", "))) : "",
    items.length ? h("ul", { class: "records" }, ...items.map((one) => record(one, photos, zone)))
      : h("p", {}, say("nothing")));
}

async function receive(event) {
  const told = document.getElementById("taken");
  try {
    told.textContent = say("taken_over", figure(await takeOver(event.target.files[0])));
  } catch (error) {
    told.textContent = say(error.message === "not-a-queue" ? "not-a-queue" : "save_failed");
  }
}

function record(one, photos, zone) {
  const left = one.item.photos.filter((p) => photos[p.sha256]?.state === "waiting").length;
  const state = say(`state_${one.state}`, one.problem?.expected ?? "");
  const more = [left && say("photos_waiting", figure(left)), one.as === "quarantined" && say("quarantined"),
    one.as === "variant" && say("variant"), one.carried && say("carried")].filter(Boolean);
  return h("li", { class: "card" }, h("p", {}, h("strong", {}, `${one.item.item_id} · ${say(one.item.finding)} `),
    one.item.answer.value), h("p", { class: "quiet" }, `${one.seq} · ${clockTime(one.item.observed_at, zone)}`),
  h("p", { class: `sent ${one.state}` }, [state, ...more].join(" · ")));
}

/** Everything that was recorded here, with the photos, as the county can read it. */
export async function exportQueue() {
  const text = new TextEncoder();
  const items = (await all("items")).sort((a, b) => a.seq - b.seq);
  const lines = items.map((i) => JSON.stringify({ item: i.item, signature: i.signature }));
  const files = [["items.jsonl", text.encode(`${lines.join("\n")}\n`)]];
  for (const photo of await all("photos")) files.push([`photos/${photo.sha256}`, new Uint8Array(photo.data)]);
  const link = h("a", { href: URL.createObjectURL(zip(files)), download: `queue-${Date.now()}.zip` });
  link.click();
}

/** This phone becomes known: it makes its key and hands over the public half. */

import { measured } from "./clock.js";
import { byId, h } from "./dom.js";
import { makeKey, publicJwk } from "./sign.js";
import { get, persist, put } from "./store.js";
import { say } from "./words.js";

const { token } = JSON.parse(byId("config").textContent);
const told = byId("told");

function name() {
  const kind = /iPhone|iPad|Android|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? "Phone";
  return `${kind} ${new Date().toISOString().slice(0, 10)}`;
}

async function enrol() {
  const pair = await makeKey();
  const sent = Date.now();
  const answer = await fetch("/api/v1/enrolments", {
    method: "POST", credentials: "omit", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, public_key: await publicJwk(pair.publicKey), device_name: byId("name").value }),
  });
  const given = await answer.json();
  if (answer.status !== 201) throw new Error(`${given.expected}; ${given.mend}`);
  const { server_time, ...device } = given;
  const before = await get("meta", "device");
  if (before) await put("meta", before, `device ${before.device_id}`); // its key may still be needed
  await put("meta", { ...device, key: pair.privateKey }, "device");
  await put("meta", { seq: 0, prev: "" }, "number");
  await measured(server_time, sent, Date.now());
  await persist();
  if ("serviceWorker" in navigator) {
    const worker = await navigator.serviceWorker.register("/field/sw.js", { scope: "/field/" });
    await new Promise((resolve) => {
      const ready = () => (worker.active ? resolve(undefined) : setTimeout(ready, 100));
      ready();
    });
  }
}

byId("name").value = name();
byId("name-label").textContent = say("device_name");
byId("go").textContent = say("enrol");
if (!globalThis.isSecureContext) told.textContent = say("insecure");
byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("go").disabled = true;
  told.textContent = say("enrolling");
  try {
    await enrol();
    told.replaceChildren(h("p", {}, say("enrolled")), h("a", { class: "button main", href: "/field/" }, say("open")));
    byId("form").hidden = true;
  } catch (error) {
    told.textContent = say("failed", error.message);
    byId("go").disabled = false;
  }
});

/** The page behind a one-use link. */

import { byId, h } from "./dom.js";
import { phoneName, register } from "./register.js";
import { say } from "./words.js";

const { token } = JSON.parse(byId("config").textContent);
const told = byId("told");

/** The application is on the phone before its first use, so that it opens without signal. */
async function keepApplication() {
  if (!("serviceWorker" in navigator)) return;
  const worker = await navigator.serviceWorker.register("/field/sw.js", { scope: "/field/" });
  while (!worker.active) await new Promise((resolve) => { setTimeout(resolve, 100); });
}

byId("name").value = phoneName();
byId("name-label").textContent = say("device_name");
byId("go").textContent = say("enrol");
if (!globalThis.isSecureContext) told.textContent = say("insecure");
byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("go").disabled = true;
  told.textContent = say("enrolling");
  try {
    await register(token, byId("name").value);
    await keepApplication();
    told.replaceChildren(h("p", {}, say("enrolled")), h("a", { class: "button main", href: "/field/" }, say("open")));
    byId("form").hidden = true;
  } catch (error) {
    told.textContent = say("failed", error.message);
    byId("go").disabled = false;
  }
});

/** Making this phone known: its key is made here, the county gets the public half. */

import { measured } from "./clock.js";
import { makeKey, publicJwk } from "./sign.js";
import { get, persist, put } from "./store.js";

/** A name that tells this phone from others. */
export function phoneName() {
  const kind = /iPhone|iPad|Android|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? "Phone";
  return `${kind} ${new Date().toISOString().slice(0, 10)}`;
}

/** The secret in a link, or in what somebody pasted. @param {string} text */
export const secretIn = (text) => text.trim().split("/").at(-1) ?? "";

/** @param {string} token @param {string} name; throws with the county's sentence */
export async function register(token, name) {
  const pair = await makeKey();
  const sent = Date.now();
  const answer = await fetch("/api/v1/enrolments", {
    method: "POST", credentials: "omit", headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token, public_key: await publicJwk(pair.publicKey), device_name: name }),
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
}

/** Photos: hashed as they are taken and kept byte for byte; nothing is made smaller or rewritten. */

import { fits, put } from "./store.js";
import { sha256 } from "./sign.js";

const MAX_BYTES = 25_000_000;

/** Keep a file that the camera gave. @param {File} file @returns what the draft remembers of it */
export async function keep(file) {
  if (file.size > MAX_BYTES) throw new Error("too-large");
  if (!(await fits(file.size))) throw new Error("no-room");
  const data = await file.arrayBuffer();
  const photo = { sha256: await sha256(data), bytes: data.byteLength, type: file.type || "image/jpeg" };
  await put("photos", { ...photo, data, state: "waiting", taken: Date.now() });
  return photo;
}

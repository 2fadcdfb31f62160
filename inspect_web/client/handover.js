/** Taking over another phone's queue from its file: what it signed is sent on as it is. */

import { canonicalBytes } from "./canonical.js";
import { drainSoon } from "./outbox.js";
import { sha256 } from "./sign.js";
import { get, put } from "./store.js";
import { unzip } from "./unzip.js";

/**
 * @param {File} file that the other phone saved @returns {Promise<number>} how many items were new
 *
 * The items keep their author, number and signature; this phone only carries them.
 */
export async function takeOver(file) {
  const files = unzip(await file.arrayBuffer());
  const lines = new TextDecoder().decode(files.get("items.jsonl")).split("\n").filter(Boolean);
  for (const [name, bytes] of files) {
    const sha = name.startsWith("photos/") ? name.slice(7) : "";
    if (!sha || (await get("photos", sha))) continue;
    if ((await sha256(bytes)) !== sha) throw new Error("not-a-queue");
    const data = bytes.slice().buffer;
    await put("photos", { sha256: sha, bytes: bytes.length, type: "image/jpeg", data, state: "waiting" });
  }
  let fresh = 0;
  for (const line of lines) {
    const { item, signature } = JSON.parse(line);
    if (await get("items", item.id)) continue;
    const digest = await sha256(canonicalBytes(item));
    await put("items", { id: item.id, seq: item.seq, item, signature, digest, state: "waiting", carried: true });
    fresh += 1;
  }
  drainSoon(0);
  return fresh;
}

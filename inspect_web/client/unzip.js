/** The files of a ZIP that ``zip.js`` wrote: stored, checked by their sums. */

import { crc32 } from "./zip.js";

/** @param {ArrayBuffer} buffer @returns {Map<string, Uint8Array>}; throws when anything is off */
export function unzip(buffer) {
  const view = new DataView(buffer), files = new Map();
  let at = 0;
  while (at + 30 <= buffer.byteLength && view.getUint32(at, true) === 0x04034b50) {
    const [method, crc] = [view.getUint16(at + 8, true), view.getUint32(at + 14, true)];
    const [size, label] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true)];
    const start = at + 30 + label + view.getUint16(at + 28, true);
    if (method !== 0 || start + size > buffer.byteLength) throw new Error("not-a-queue");
    const data = new Uint8Array(buffer, start, size);
    if (crc32(data) !== crc) throw new Error("not-a-queue");
    files.set(new TextDecoder().decode(new Uint8Array(buffer, at + 30, label)), data);
    at = start + size;
  }
  if (!files.has("items.jsonl")) throw new Error("not-a-queue");
  return files;
}

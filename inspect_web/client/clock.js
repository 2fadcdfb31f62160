/** What this phone knows of the time: its own clock, and how far the county's was from it. */

import { get, put } from "./store.js";

const UNKNOWN_MS = 300_000; // nobody measured: the bound that is stated then

/** Take a measurement from an answer that carried the county's time. */
export async function measured(serverTime, sentAt, receivedAt) {
  const half = Math.ceil((receivedAt - sentAt) / 2);
  const offset = Math.round(Date.parse(serverTime) - (sentAt + receivedAt) / 2);
  if (!Number.isFinite(offset) || half < 0) return;
  await put("meta", { offset_ms: offset, error_ms: half + 50, at: receivedAt }, "clock");
}

/** The phone's time and what is known about it, for an item. */
export async function now() {
  const known = await get("meta", "clock");
  const observed_at = new Date().toISOString();
  const elapsed_ms = Math.round(performance.now());
  if (!known) return { observed_at, clock: { elapsed_ms, offset_ms: 0, error_ms: UNKNOWN_MS } };
  // A phone's clock drifts by less than 50 parts in a million.
  const drift = Math.ceil(Math.abs(Date.now() - known.at) * 0.00005);
  return { observed_at, clock: { elapsed_ms, offset_ms: known.offset_ms, error_ms: known.error_ms + drift } };
}

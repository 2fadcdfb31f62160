/** Requests to the county, each signed by this phone; no cookie, so that no login can run out. */

import { measured } from "./clock.js";
import { sha256, sign } from "./sign.js";

/** An answer that the county did not give: no network, a portal, a proxy. */
export class NoAnswer extends Error {}

/**
 * @param {{device_id: string, key: CryptoKey}} device
 * @param {string} method @param {string} path
 * @param {{body?: Uint8Array, headers?: Record<string, string>}} [more]
 * @returns {Promise<{status: number, body: any, headers: Headers}>}
 */
export async function ask(device, method, path, { body = new Uint8Array(), headers = {} } = {}) {
  const sent = Date.now();
  const text = `${method}\n${path}\n${sent}\n${await sha256(body)}`;
  const signature = await sign(device.key, new TextEncoder().encode(text));
  let answer;
  try {
    answer = await fetch(path, {
      method, credentials: "omit", cache: "no-store", redirect: "error",
      body: method === "GET" ? undefined : body,
      headers: { ...headers, Authorization: `Device ${device.device_id}:${sent}:${signature}` },
      signal: AbortSignal.timeout(60_000),
    });
  } catch (error) {
    throw new NoAnswer(String(error));
  }
  if (answer.status === 204) return { status: 204, body: null, headers: answer.headers };
  // A portal of a hotspot answers 200 with its own page: only JSON can be the county's word.
  if (!answer.headers.get("Content-Type")?.startsWith("application/json")) {
    throw new NoAnswer(`not the county's answer (${answer.status})`);
  }
  let given;
  try {
    given = await answer.json();
  } catch (error) {
    throw new NoAnswer(String(error));
  }
  if (given.server_time) await measured(given.server_time, sent, Date.now());
  return { status: answer.status, body: given, headers: answer.headers };
}

/** How long to wait before trying again. */

const CAP_MS = 300_000;

/** @param {number} failures in a row @param {number} [chance] 0–1 @returns milliseconds */
export function wait(failures, chance = Math.random()) {
  // A third of it is left to chance, so that fifty phones do not come back in the same second.
  const most = Math.min(CAP_MS, 1000 * 2 ** failures);
  return Math.round(most * (1 - chance / 3));
}

/** Canonical JSON (RFC 8785) of integers, strings, booleans, nulls, arrays and objects. */

/**
 * @param {unknown} value
 * @returns {string} the canonical text; a fraction or an unsafe integer is refused, since encoders
 *   disagree about them and a hash must not
 */
export function canonical(value) {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a safe integer`);
    return String(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object") {
    const object = /** @type {Record<string, unknown>} */ (value);
    const members = Object.keys(object).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`).join(",")}}`;
  }
  throw new TypeError(`${typeof value} cannot be written`);
}

/** @param {unknown} value */
export const canonicalBytes = (value) => new TextEncoder().encode(canonical(value));

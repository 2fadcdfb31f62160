/** A number against the license's number, as the county judges it too. */

/** @returns {"met" | "not-met" | null} null when there is nothing to compare */
export function judge(text, threshold) {
  const value = number(text);
  if (value === null || !threshold || threshold.comparison === "none") return null;
  const kept = {
    "at-least": value >= threshold.value,
    "at-most": value <= threshold.value,
    equal: value === threshold.value,
  }[threshold.comparison];
  return kept ? "met" : "not-met";
}

/** @param {string} text @returns {number | null} */
export function number(text) {
  const plain = text.trim().replaceAll(",", "");
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}

/** When an item is due, from the windows that the county worked out for this license. */

/**
 * @param {{windows: [string, string][], spans: [string, string][], tight_minutes: number | null}} plan
 * @param {number | null} lastSeen milliseconds @param {number} now milliseconds
 * @returns {number | null} by when somebody should look; in the past when it is overdue
 */
export function nextDue(plan, lastSeen, now) {
  const found = [];
  for (const [opens, closes] of plan.windows.map((w) => w.map(Date.parse))) {
    if (lastSeen === null ? closes > now - 12 * 3600e3 : lastSeen < opens && closes > lastSeen) {
      if (opens <= now || closes > now) found.push(closes);
    }
  }
  if (plan.tight_minutes) {
    for (const [opens, closes] of plan.spans.map((w) => w.map(Date.parse))) {
      if (now < closes) found.push(Math.max(opens, lastSeen ?? opens) + plan.tight_minutes * 60e3);
    }
  }
  return found.length ? Math.min(...found) : null;
}

/** @returns {"overdue" | "now" | "later" | "none"} */
export function urgency(due, now) {
  if (due === null) return "none";
  if (due < now) return "overdue";
  return due - now <= 3600e3 ? "now" : "later";
}

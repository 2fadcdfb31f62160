/** The checklist: what is due first, by urgency, with what this phone last saw. */

import { h } from "./dom.js";
import { nextDue, urgency } from "./schedule.js";
import { clockTime, figure, say } from "./words.js";

const ORDER = ["again", "overdue", "now", "later", "none"];

/** @param {any} checklist @param {any[]} records items of this phone @param {any[]} drafts */
export function listScreen(checklist, records, drafts, now = Date.now()) {
  const zone = checklist.licence.time_zone;
  const newest = {};
  for (const one of records) {
    if (!newest[one.item.item_id] || newest[one.item.item_id].seq < one.seq) newest[one.item.item_id] = one;
  }
  const drafted = new Set(drafts.map((d) => d.condition));
  const rows = checklist.items.map((item) => {
    const last = newest[item.id];
    const due = nextDue(checklist.schedule[item.id], last ? Date.parse(last.item.observed_at) : null, now);
    const again = last?.item.finding === "not-met"; // what failed comes first, to be looked at again
    return { item, last, due, urgency: again ? "again" : urgency(due, now) };
  });
  rows.sort((a, b) => ORDER.indexOf(a.urgency) - ORDER.indexOf(b.urgency) || (a.due ?? 0) - (b.due ?? 0));
  const box = h("div", { class: "groups" });
  const draw = (wanted) => box.replaceChildren(...ORDER.map((kind) => {
    const some = rows.filter((r) => r.urgency === kind && matches(r.item, wanted));
    return some.length ? h("section", { class: `group ${kind}` },
      h("h2", {}, `${say(kind)} `, h("span", { class: "count" }, figure(some.length))),
      h("ul", {}, ...some.map((r) => row(r, zone, drafted.has(r.item.id))))) : "";
  }).filter(Boolean));
  draw("");
  return h("div", {}, h("label", { class: "search" }, h("span", { class: "quiet" }, say("search")),
    h("input", { type: "search", oninput: (e) => draw(e.target.value) })), box);
}

const matches = (item, wanted) =>
  `${item.id} ${item.question} ${item.clause.citation}`.toLowerCase().includes(wanted.toLowerCase());

function row({ item, last, due }, zone, drafted) {
  const facts = [due !== null && say("due", clockTime(due, zone)),
    last ? say("seen", clockTime(last.item.observed_at, zone)) : null, drafted && say("draft")];
  return h("li", {}, h("a", { class: "row", href: `#/item/${encodeURIComponent(item.id)}` },
    h("span", { class: "id" }, item.id),
    h("span", { class: "body" }, h("span", { class: "question" }, item.question),
      item.threshold && h("span", { class: "limit" }, bound(item.threshold)),
      h("span", { class: "quiet" }, facts.filter(Boolean).join(" · "))),
    last && h("span", { class: `state state-${last.item.finding}` }, say(last.item.finding))));
}

/** The license's number in words. */
export function bound({ comparison, value, unit }) {
  const key = { "at-least": "at_least", "at-most": "at_most", equal: "equal" }[comparison];
  return key ? say(key, `${figure(value)} ${unit}`) : `${figure(value)} ${unit}`;
}

/** One condition: clause, number, finding, photos, place, note; every change is kept at once. */

import { keep } from "./camera.js";
import { h } from "./dom.js";
import { judge, number } from "./limits.js";
import { bound } from "./list.js";
import { enqueue } from "./outbox.js";
import { siteMap } from "./map.js";
import { fix, where } from "./place.js";
import { get, put } from "./store.js";
import { say } from "./words.js";

const FINDINGS = ["met", "not-met", "not-applicable", "not-seen", "entry-denied"];
const NUMERIC = ["count", "number"];

/** @param {any} item of the checklist @param {any} checklist @param {any} last this phone's newest record */
export async function itemScreen(item, checklist, last, done) {
  const draft = (await get("drafts", item.id)) ?? empty(item, checklist);
  const alarm = h("p", { class: "alarm", role: "alert" });
  const kept = h("p", { class: "quiet", role: "status" });
  const changed = async () => {
    try {
      await put("drafts", draft);
      kept.textContent = say("draft");
      alarm.textContent = "";
    } catch {
      alarm.textContent = say("save_failed");
    }
  };
  const form = h("form", { class: "item", onsubmit: (event) => {
    event.preventDefault();
    save(draft, item, alarm).then((saved) => { if (saved) done(); });
  } });
  const choices = findings(draft, changed);
  form.append(
    NUMERIC.includes(item.answer) ? numberField(item, draft, choices, changed) : textField(item, draft, changed),
    choices.box,
    area(item.judgement ? say("reason") : say("note"), draft, "note", changed),
    photoField(draft, changed), placeField(draft, checklist, changed),
    last ? correction(draft, last, changed) : "", alarm,
    h("button", { class: "button main save", type: "submit" }, say("save")), kept);
  return h("article", {}, h("p", {}, h("a", { class: "button small", href: "#/" }, `← ${say("list")}`)),
    h("h1", {}, h("span", { class: "id" }, item.id), ` ${item.question}`),
    item.threshold && h("p", { class: "limit big" }, bound(item.threshold)), law(item), form);
}

function empty(item, checklist) {
  return { condition: item.id, id: crypto.randomUUID(), version: checklist.version, finding: "",
           answer: { kind: item.answer, value: "", unit: item.unit ?? "" }, note: "", place: null,
           photos: [], corrects: "" };
}

async function save(draft, item, alarm) {
  const refuse = (key) => { alarm.textContent = say(key); return false; };
  if (NUMERIC.includes(item.answer) && ["met", "not-met"].includes(draft.finding)
      && number(draft.answer.value) === null) return refuse("need_number");
  if (!draft.finding) return refuse("choose");
  if (item.judgement && !draft.note.trim()) return refuse("need_reason");
  try {
    await enqueue(draft);
    return true;
  } catch (error) {
    console.error(error);
    return refuse("save_failed");
  }
}

function law(item) {
  return h("details", { class: "card" }, h("summary", {}, `${say("clause")}: ${item.clause.citation}`),
    h("blockquote", { lang: "en" }, item.clause.quote),
    item.threshold && h("p", {}, h("strong", {}, `${say("how")}: `), item.threshold.formula),
    item.evidence.length && h("p", {}, h("strong", {}, `${say("evidence")}: `), item.evidence.join("; ")),
    item.note && h("p", { lang: "en" }, item.note));
}

function findings(draft, changed) {
  const radios = {};
  const box = h("fieldset", { class: "findings" }, h("legend", {}, say("answer")),
    ...FINDINGS.map((finding) => {
      radios[finding] = h("input", { type: "radio", name: "finding", value: finding,
        checked: draft.finding === finding, onchange: () => { draft.finding = finding; changed(); } });
      return h("label", { class: `choice ${finding}` }, radios[finding], h("span", {}, say(finding)));
    }));
  return { box, choose: (finding) => { radios[finding].checked = true; draft.finding = finding; } };
}

function numberField(item, draft, choices, changed) {
  const verdict = h("output", { class: "verdict" });
  const field = h("input", { inputmode: "decimal", autocomplete: "off", value: draft.answer.value,
    id: "value", oninput: () => take(field.value) });
  const tell = () => {
    const outcome = judge(draft.answer.value, item.threshold);
    verdict.className = `verdict ${outcome ?? ""}`;
    verdict.textContent = outcome ? `${say(outcome)} (${bound(item.threshold)})` : "";
    return outcome;
  };
  const take = (text) => {
    draft.answer = { ...draft.answer, value: text.trim().slice(0, 30) };
    const outcome = tell();
    if (outcome) choices.choose(outcome); // the number decides, here as at the county
    changed();
  };
  const step = (by) => () => {
    field.value = String(Math.max(0, (number(field.value) ?? 0) + by));
    take(field.value);
  };
  tell();
  return h("div", { class: "number" }, h("label", { for: "value" }, say("number", item.unit ?? "")),
    h("div", { class: "stepper" },
      h("button", { type: "button", class: "button", "aria-label": say("count_minus"), onclick: step(-1) }, "−"),
      field, h("button", { type: "button", class: "button", "aria-label": say("count_plus"), onclick: step(1) }, "+")),
    verdict);
}

function textField(item, draft, changed) {
  if (item.answer === "yes-no") return h("span");
  return h("label", { class: "field" }, say("text"), h("textarea", { rows: 2, value: draft.answer.value,
    maxlength: 4000, oninput: (e) => { draft.answer = { ...draft.answer, value: e.target.value }; changed(); } }));
}

const area = (label, draft, key, changed) => h("label", { class: "field" }, label,
  h("textarea", { rows: 3, maxlength: 8000, value: draft[key],
    oninput: (e) => { draft[key] = e.target.value; changed(); } }));

function photoField(draft, changed) {
  const shown = h("ul", { class: "photos" });
  // Its own alarm: the draft is saved after this, and that must not hide that a photo was lost.
  const trouble = h("p", { class: "alarm", role: "alert" });
  const draw = async () => {
    const items = await Promise.all(draft.photos.map(async (photo, index) => {
      const kept = await get("photos", photo.sha256);
      const source = kept ? URL.createObjectURL(new Blob([kept.data], { type: kept.type })) : "";
      return h("li", {}, h("img", { src: source, alt: say("photo_of", index + 1) }),
        h("button", { type: "button", class: "button small", onclick: () => {
          draft.photos.splice(index, 1);
          changed().then(draw);
        } }, say("remove")));
    }));
    shown.replaceChildren(...items);
  };
  const take = async (event) => {
    trouble.textContent = "";
    for (const file of event.target.files) {
      try {
        const photo = await keep(file);
        if (!draft.photos.some((p) => p.sha256 === photo.sha256)) draft.photos.push(photo);
      } catch (error) {
        trouble.textContent = say({ "too-large": "too_large", "no-room": "no_room" }[error.message] ?? "save_failed");
      }
    }
    event.target.value = "";
    await changed();
    await draw();
  };
  draw();
  // The draft is on the disk before the camera opens, which on a small phone may end this page.
  return h("div", { class: "field" }, h("label", { class: "button photo" }, say("photo"),
    h("input", { type: "file", accept: "image/*", capture: "environment", class: "unseen",
      onclick: () => { changed(); }, onchange: take })), trouble, shown);
}

function placeField(draft, checklist, changed) {
  const told = h("p", { role: "status" }), map = h("div");
  const box = h("details", {}, h("summary", {}, say("map")), map);
  const tell = () => {
    if (checklist.site) map.replaceChildren(siteMap(checklist, draft.place));
    if (!draft.place) return;
    box.open = true;
    const metres = Math.max(1, Math.round(draft.place.accuracy_mm / 1000));
    const says = checklist.site ? say(where(draft.place, checklist.site)) : "";
    told.textContent = `${says} (${say("within", metres)})`;
  };
  const take = async () => {
    told.textContent = say("locating");
    try {
      draft.place = await fix();
      await changed();
      tell();
    } catch (error) {
      told.textContent = say("no_fix", say(error.message));
    }
  };
  tell();
  return h("div", { class: "field" }, h("button", { type: "button", class: "button", onclick: take }, say("locate")), told, box);
}

function correction(draft, last, changed) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", checked: draft.corrects === last.id,
    onchange: (e) => { draft.corrects = e.target.checked ? last.id : ""; changed(); } }), h("span", {}, say("corrects")));
}

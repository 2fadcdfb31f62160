/** Appearance, language, and whether the browser promised to keep the data. */

import { h } from "./dom.js";
import { LANGUAGES, language, say } from "./words.js";

const THEMES = ["auto", "sun", "dark"];

/** Put the chosen appearance on the page. */
export function dress() {
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
  document.documentElement.lang = language();
}

/** @param {any} device @param {boolean} persisted @param {() => void} redraw */
export function settingsScreen(device, persisted, redraw) {
  const choose = (key) => (event) => {
    localStorage.setItem(key, event.target.value);
    dress();
    redraw();
  };
  const option = (chosen) => ([value, text]) =>
    h("option", { value, selected: value === chosen }, text);
  return h("article", {}, h("p", {}, h("a", { class: "button small", href: "#/" }, `← ${say("list")}`)),
    h("h1", {}, say("settings")),
    h("p", {}, say("who", device.person.name, device.person.agency.replaceAll("-", " "))),
    h("label", { class: "field" }, say("theme"), h("select", { onchange: choose("theme") },
      ...THEMES.map((t) => [t, say(`theme_${t}`)]).map(option(localStorage.getItem("theme") ?? "auto")))),
    h("label", { class: "field" }, say("language"), h("select", { onchange: choose("language") },
      ...Object.entries(LANGUAGES).map(option(language())))),
    h("p", { class: persisted ? "card" : "card alarm" }, say(persisted ? "persist_yes" : "persist_no")));
}

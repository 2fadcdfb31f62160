// The dashboard without reloading: ask every two seconds, draw only what changed.
const live = document.getElementById("live");
const lost = document.getElementById("lost");
const EVERY_MS = 2000;
let tag = "";

async function look() {
  try {
    const headers = { "X-Poll": "1" };
    if (tag) headers["If-None-Match"] = tag;
    const answer = await fetch(live.dataset.from, { headers, redirect: "manual" });
    if (answer.ok) {
      tag = answer.headers.get("ETag") ?? "";
      const place = document.activeElement?.getAttribute("href");
      live.innerHTML = await answer.text(); // our own page, escaped by the server
      if (place) live.querySelector(`a[href="${CSS.escape(place)}"]`)?.focus();
    }
    lost.hidden = answer.ok || answer.status === 304;
  } catch {
    lost.hidden = false;
  }
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);

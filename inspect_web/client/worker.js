/**
 * The service worker: keeps the application's own files so that it opens without a network. It never
 * touches anything but GET, and never the county's answers. VERSION and FILES are put before this
 * text by the server: a changed file is a new version.
 */
/* global VERSION, FILES */

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(VERSION).then((cache) =>
      cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })))).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(
      names.filter((name) => name.startsWith("inspect-") && name !== VERSION).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const url = new URL(event.request.url);
  const file = event.request.mode === "navigate" && url.pathname === "/field/" ? "/field/" : url.pathname;
  if (url.origin !== self.location.origin || !FILES.includes(file)) return;
  event.respondWith(caches.match(file, { cacheName: VERSION }).then((kept) => kept ?? fetch(event.request)));
});

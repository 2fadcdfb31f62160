"use strict";
// The page's behaviour. It knows the map that folium made, the JSON beside it and the page's own
// elements; it asks nothing of a network.
(() => {
  const data = JSON.parse(document.getElementById("map-data").textContent);
  const map = window.map_site;
  const siteBounds = L.latLngBounds(data.bounds);
  const layers = new Map();
  const places = [];
  const labels = [];
  let chosen = null;
  let track = null;

  // ---- drawing -------------------------------------------------------------------------------
  const panes = { around: 380, band: 390, area: 400, line: 420, site: 430, evidence: 440 };
  for (const [name, z] of Object.entries(panes)) map.createPane(name).style.zIndex = z;

  function pathStyle(layer, feature) {
    const area = layer.shape === "area";
    if (layer.evidence && feature.geometry.type === "MultiPolygon" && feature.geometry.coordinates.length > 20) {
      return { pane: "evidence", color: feature.colour, weight: 0.8, fillColor: feature.colour, fillOpacity: 0.12 };
    }
    if (layer.evidence) {
      return { pane: "evidence", color: feature.colour, weight: 4, opacity: 0.9, fill: area, fillColor: feature.colour, fillOpacity: area ? 0.12 : 0, dashArray: area ? "10 5" : null };
    }
    const filled = Boolean(layer.fill);
    return {
      pane: layer.slug === "band" || layer.slug === "site" ? layer.slug : !area ? "line" : layer.group === "land" ? "around" : "area",
      color: layer.colour,
      weight: layer.width * 1.2,
      stroke: layer.slug !== "band",
      dashArray: layer.dash || null,
      fill: filled,
      fillColor: layer.pattern ? `url(#${layer.pattern})` : layer.fill,
      fillOpacity: filled ? 0.8 : 0,
      interactive: layer.slug !== "band",
    };
  }

  function pointMarker(layer, feature, latlng) {
    if (layer.evidence) {
      return L.circleMarker(latlng, { pane: "evidence", radius: 13, color: feature.colour, weight: 4, fill: false });
    }
    const width = 12 + 7 * Math.max(layer.code.length, 1);
    const body = document.createElement("span");
    body.className = "code";
    body.style.background = layer.colour;
    body.textContent = layer.code || "•";
    const icon = L.divIcon({ className: "code-icon", html: body, iconSize: [width, 18] });
    return L.marker(latlng, { icon, title: nameOf(layer, feature), zIndexOffset: 100 * (9 - layer.rank) });
  }

  const nameOf = (layer, feature) => feature.label || layer.title;

  function drawFeature(layer, feature) {
    const drawn = L.geoJSON(feature.geometry, {
      style: () => pathStyle(layer, feature),
      pointToLayer: (_, latlng) => pointMarker(layer, feature, latlng),
      interactive: layer.slug !== "band",
    });
    const parts = drawn.getLayers();
    if (feature.spot) parts.push(pointMarker(layer, feature, L.latLng(feature.spot)));
    const shape = L.featureGroup(parts);
    const place = { layer, feature, shape };
    if (layer.slug !== "band") {
      shape.on("click", (event) => {
        if (!track) openPlace(place);
        // A click on a line or an area reaches the map as well; one on a marker does not.
        else if (event.propagatedFrom instanceof L.Marker) addPoint(event.latlng);
      });
      parts.forEach((part) => part.on("add", () => reachable(part, place)));
    }
    label(place);
    places.push(place);
    return shape;
  }

  // Leaflet makes markers reachable by the keyboard, but not lines and areas.
  function reachable(part, place) {
    const element = part.getElement?.();
    // An outline under its own lettered box would be a second stop for the same thing.
    if (!element || (place.feature.spot && !(part instanceof L.Marker))) return;
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-label", `${place.layer.title}: ${nameOf(place.layer, place.feature)}`);
    if (element.dataset.keys) return;
    element.dataset.keys = "yes";
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        openPlace(place);
      }
    });
  }

  function label(place) {
    const { layer, feature, shape } = place;
    if (layer.evidence || layer.shape === "point" || feature.spot || layer.rank > 4 || !feature.label || layer.slug === "site" || layer.slug === "band") return;
    const tip = L.tooltip({ permanent: true, direction: "center", className: "label", interactive: false, opacity: 1 });
    tip.setContent(document.createTextNode(feature.label));
    const middle = layer.shape === "area" ? shape.getBounds().getCenter() : middleOfLine(feature.geometry);
    tip.setLatLng(middle);
    shape.on("add", () => tip.addTo(map)).on("remove", () => tip.remove());
    labels.push({ tip, rank: layer.rank, place });
  }

  function middleOfLine(geometry) {
    const line = geometry.type === "LineString" ? geometry.coordinates : geometry.coordinates[0];
    const at = line.length > 2 ? line[Math.floor(line.length / 2)] : [(line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2];
    return L.latLng(at[1], at[0]);
  }

  // Lettered boxes and names take their room in the order of their rank. A box that would stand on
  // another becomes a dot; a name that would, or that is wider than its thing, is hidden.
  function spread() {
    const frame = map.getContainer().getBoundingClientRect();
    const taken = [];
    const free = (box) => !taken.some((t) => box.left < t.right && box.right > t.left && box.top < t.bottom && box.bottom > t.top);
    const markers = places.flatMap((place) => place.shape.getLayers().filter((part) => part instanceof L.Marker && part.getElement()).map((part) => ({ rank: place.layer.rank, box: part.getElement() })));
    const names = labels.filter(({ tip }) => map.hasLayer(tip)).map(({ tip, rank, place }) => ({ rank: rank + 0.5, name: tip.getElement(), place }));
    for (const { box, name, place } of [...markers, ...names].sort((a, b) => a.rank - b.rank)) {
      const element = box || name;
      element.classList.remove("dot", "hidden");
      const room = element.getBoundingClientRect();
      const misfit = name && (wider(room, place) || leaves(room, frame));
      if (misfit || !free(room)) element.classList.add(box ? "dot" : "hidden");
      else taken.push(room);
    }
  }
  function wider(room, place) {
    const size = place.shape.getBounds();
    const a = map.latLngToContainerPoint(size.getNorthWest());
    const b = map.latLngToContainerPoint(size.getSouthEast());
    return Math.max(b.x - a.x, b.y - a.y) < room.width;
  }
  const leaves = (room, frame) => room.right > frame.right || room.left < frame.left || room.top < frame.top || room.bottom > frame.bottom;

  for (const layer of data.layers) {
    layers.set(layer.id, L.layerGroup(layer.features.map((feature) => drawFeature(layer, feature))));
  }

  // ---- layers --------------------------------------------------------------------------------
  const boxes = [...document.querySelectorAll("[data-layer]")];
  function applyLayers() {
    for (const box of boxes) {
      const group = layers.get(box.dataset.layer);
      box.closest("label").classList.toggle("off", !box.checked);
      if (box.checked) group.addTo(map);
      else group.remove();
    }
    spread();
  }
  for (const box of boxes) {
    box.addEventListener("change", () => {
      applyLayers();
      remember();
    });
  }
  function show(layer) {
    const box = boxes.find((candidate) => candidate.dataset.layer === layer.id);
    if (!box.checked) {
      box.checked = true;
      applyLayers();
    }
  }

  // ---- findings and places, both ways --------------------------------------------------------
  const findings = [...document.querySelectorAll(".finding")];
  const findingOf = (key) => findings.find((finding) => finding.dataset.key === key);

  function placesOf(finding) {
    const own = places.filter((place) => place.feature.finding === finding.dataset.key);
    return own.length ? own : places.filter((place) => !place.layer.evidence && place.layer.check === finding.dataset.check);
  }
  function findingsOf(place) {
    if (place.feature.finding) return [findingOf(place.feature.finding)];
    return findings.filter((finding) => place.layer.check && finding.dataset.check === place.layer.check);
  }

  function choose(finding, { move = true, scroll = false } = {}) {
    findings.forEach((other) => other.classList.toggle("chosen", other === finding));
    chosen = finding;
    finding.hidden = false;
    finding.closest(".group").hidden = false;
    finding.open = true;
    if (scroll) finding.scrollIntoView({ block: "nearest" });
    const found = placesOf(finding);
    found.forEach((place) => show(place.layer));
    if (move && found.length) goTo(found.map((place) => place.shape));
    found.forEach((place) => flash(place.shape));
    remember();
  }
  function goTo(shapes) {
    const bounds = L.latLngBounds([]);
    shapes.forEach((shape) => bounds.extend(shape.getBounds()));
    map.fitBounds(bounds.pad(0.15), { maxZoom: 18, animate: false });
  }
  function flash(shape) {
    shape.eachLayer((part) => {
      const element = part.getElement?.();
      if (!element) return;
      element.classList.add("flash");
      setTimeout(() => element.classList.remove("flash"), 2600);
    });
  }
  function openPlace(place) {
    const linked = findingsOf(place);
    const body = document.createElement("div");
    body.append(line("strong", nameOf(place.layer, place.feature)));
    if (place.feature.label) body.append(line("span", place.layer.title));
    place.feature.facts.forEach((fact) => body.append(line("span", fact)));
    for (const finding of linked) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = finding.querySelector("summary").textContent.replace(/\s+/g, " ").trim();
      button.addEventListener("click", () => choose(finding, { move: false, scroll: true }));
      body.append(button);
    }
    const at = place.shape.getBounds().getCenter();
    L.popup({ maxWidth: 280 }).setLatLng(at).setContent(body).openOn(map);
    if (linked.length) choose(linked[0], { move: false, scroll: true });
  }
  function line(tag, text) {
    const paragraph = document.createElement("p");
    const inner = document.createElement(tag);
    inner.textContent = text;
    paragraph.append(inner);
    return paragraph;
  }

  for (const finding of findings) {
    finding.querySelector("summary").addEventListener("click", () => {
      // The click comes before the element opens.
      if (!finding.open) setTimeout(() => choose(finding));
    });
    const holder = finding.querySelector("[data-places]");
    for (const place of placesOf(finding)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = nameOf(place.layer, place.feature);
      button.addEventListener("click", () => {
        show(place.layer);
        goTo([place.shape]);
        flash(place.shape);
      });
      holder.append(button);
    }
  }
  const groups = [...document.querySelectorAll(".findings .group")];
  function filter(button, on) {
    button.setAttribute("aria-pressed", String(on));
    findings.filter((f) => f.dataset.verdict === button.dataset.verdict).forEach((f) => { f.hidden = !on; });
    for (const group of groups) {
      const inside = [...group.querySelectorAll(".finding")];
      group.hidden = inside.length > 0 && inside.every((f) => f.hidden);
    }
  }
  for (const button of document.querySelectorAll(".filters button")) {
    button.addEventListener("click", () => filter(button, button.getAttribute("aria-pressed") !== "true"));
    // What does not bind is there when asked for.
    if (button.dataset.verdict === "not-applicable") filter(button, false);
  }

  // ---- measuring -----------------------------------------------------------------------------
  const measured = document.getElementById("measured");
  const measureButton = document.getElementById("tool-measure");
  function startMeasuring(on) {
    measureButton.setAttribute("aria-pressed", String(on));
    track?.remove();
    track = on ? L.polyline([], { color: "#000", weight: 3, dashArray: "6 4", interactive: false, pane: "evidence" }).addTo(map) : null;
    map.getContainer().style.cursor = on ? "crosshair" : "";
    measured.textContent = on ? "Click points, or press Enter for the middle of the map; Escape ends." : "";
  }
  function addPoint(latlng) {
    track.addLatLng(latlng);
    const points = track.getLatLngs();
    let metres = 0;
    for (let i = 1; i < points.length; i += 1) metres += map.distance(points[i - 1], points[i]);
    const feet = metres / 0.3048;
    const words = [`${Math.round(feet).toLocaleString("en-US")} ft`];
    if (feet > 2640) words.push(`${(feet / 5280).toFixed(2)} mi`);
    if (points.length > 2) words.push(`${acres(points).toFixed(2)} acres inside`);
    measured.textContent = `About ${words.join(", ")}`;
  }
  function acres(points) {
    const k = Math.cos((points[0].lat * Math.PI) / 180);
    const degree = (Math.PI / 180) * 6371000;
    let twice = 0;
    points.forEach((p, i) => {
      const q = points[(i + 1) % points.length];
      twice += (p.lng * q.lat - q.lng * p.lat) * k * degree * degree;
    });
    return Math.abs(twice) / 2 / 4046.8564224;
  }
  measureButton.addEventListener("click", () => startMeasuring(!track));
  map.on("click", (event) => track && addPoint(event.latlng));
  document.addEventListener("keydown", (event) => {
    if (!track) return;
    if (event.key === "Escape") startMeasuring(false);
    if (event.key === "Enter" && map.getContainer().contains(event.target)) addPoint(map.getCenter());
  });

  // ---- views, permalinks, print --------------------------------------------------------------
  const whole = () => map.fitBounds(siteBounds.pad(0.06), { animate: false });
  document.getElementById("tool-site").addEventListener("click", whole);
  document.getElementById("tool-around").addEventListener("click", () => {
    const bounds = L.latLngBounds(data.bounds);
    places.filter((p) => map.hasLayer(p.shape) && p.layer.slug !== "county").forEach((p) => bounds.extend(p.shape.getBounds()));
    map.fitBounds(bounds.pad(0.03), { animate: false });
  });
  document.getElementById("tool-print").addEventListener("click", () => window.print());

  let settled = false;
  function remember() {
    if (!settled) return;
    const at = map.getCenter();
    const parts = [`at=${map.getZoom()}/${at.lat.toFixed(5)}/${at.lng.toFixed(5)}`];
    if (chosen) parts.push(`finding=${chosen.dataset.key}`);
    const changed = boxes.filter((box) => box.checked !== box.defaultChecked).map((box) => box.dataset.layer);
    if (changed.length) parts.push(`turned=${changed.join(",")}`);
    history.replaceState(null, "", `#${parts.join("&")}`);
  }
  function recall() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const box of boxes) box.checked = box.defaultChecked;
    for (const id of (wanted.get("turned") || "").split(",")) {
      const box = boxes.find((candidate) => candidate.dataset.layer === id);
      if (box) box.checked = !box.defaultChecked;
    }
    applyLayers();
    whole();
    const finding = findingOf(wanted.get("finding"));
    if (finding) choose(finding, { scroll: true });
    const [zoom, lat, lng] = (wanted.get("at") || "").split("/").map(Number);
    if ([zoom, lat, lng].every(Number.isFinite) && wanted.get("at")) map.setView([lat, lng], zoom, { animate: false });
  }

  if (window.matchMedia("(max-width: 1050px)").matches) document.getElementById("layers").open = false;
  // The sheet has another shape than the screen: show the same ground on it, and then again here.
  let onScreen = null;
  window.matchMedia("print").addEventListener("change", (event) => {
    if (event.matches) {
      document.getElementById("layers").open = true;
      onScreen = { ground: map.getBounds(), centre: map.getCenter(), zoom: map.getZoom() };
      map.invalidateSize({ animate: false });
      map.fitBounds(onScreen.ground, { animate: false });
    } else {
      map.invalidateSize({ animate: false });
      map.setView(onScreen.centre, onScreen.zoom, { animate: false });
    }
  });
  map.on("moveend zoomend", () => {
    spread();
    remember();
  });
  window.addEventListener("hashchange", recall);
  recall();
  settled = true;
})();

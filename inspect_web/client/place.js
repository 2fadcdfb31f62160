/** Where the phone is: a fresh fix with its circle, and what it says about an area. */

const OLDEST_MS = 10_000;
const METRES_PER_DEGREE = 111_320;

/** @returns {Promise<{lat_e7: number, lon_e7: number, accuracy_mm: number, age_ms: number}>} */
export function fix() {
  return new Promise((resolve, reject) => {
    if (!navigator.geolocation) { reject(new Error("unsupported")); return; }
    navigator.geolocation.getCurrentPosition((position) => {
      const age = Math.max(0, Date.now() - position.timestamp);
      if (age > OLDEST_MS) { reject(new Error("old")); return; } // a place from before
      const { latitude, longitude, accuracy } = position.coords;
      resolve({
        lat_e7: Math.round(latitude * 1e7), lon_e7: Math.round(longitude * 1e7),
        // The browser states a radius of 95 %.
        accuracy_mm: Math.round(accuracy * 1000), age_ms: Math.round(age),
      });
    }, (error) => reject(new Error(["", "denied", "unavailable", "timeout"][error.code])),
    { enableHighAccuracy: true, maximumAge: 0, timeout: 20_000 });
  });
}

/** @returns {"inside" | "outside" | "undecided"} undecided when the circle reaches the edge */
export function where(place, area) {
  const rings = area?.type === "Polygon" ? area.coordinates
    : area?.type === "MultiPolygon" ? area.coordinates.flat() : [];
  const lat = place.lat_e7 / 1e7, lon = place.lon_e7 / 1e7;
  const across = METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  let nearest = Infinity, crossings = 0;
  for (const ring of rings) {
    const points = ring.map(([x, y]) => [(x - lon) * across, (y - lat) * METRES_PER_DEGREE]);
    for (let i = 1; i < points.length; i += 1) {
      const [[x1, y1], [x2, y2]] = [points[i - 1], points[i]];
      nearest = Math.min(nearest, distance(x1, y1, x2, y2));
      if (y1 > 0 !== y2 > 0 && x1 - (y1 * (x2 - x1)) / (y2 - y1) > 0) crossings += 1;
    }
  }
  if (!rings.length || nearest <= place.accuracy_mm / 1000) return "undecided";
  return crossings % 2 ? "inside" : "outside";
}

function distance(x1, y1, x2, y2) {
  const dx = x2 - x1, dy = y2 - y1, length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, -(x1 * dx + y1 * dy) / length)) : 0;
  return Math.hypot(x1 + t * dx, y1 + t * dy);
}

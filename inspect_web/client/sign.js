/** Keys, hashes and signatures: ECDSA on P-256, raw r and s in base64url without padding. */

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** A key pair whose private half can never leave this browser. */
export const makeKey = () => crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);

/** @param {CryptoKey} key */
export async function publicJwk(key) {
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", key);
  return { kty, crv, x, y };
}

/** @param {CryptoKey} key @param {BufferSource} data */
export const sign = async (key, data) =>
  encode(await crypto.subtle.sign(ALGORITHM, key, data));

/** @param {JsonWebKey} jwk @param {string} signature @param {BufferSource} data */
export async function verified(jwk, signature, data) {
  try {
    const key = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["verify"]);
    return await crypto.subtle.verify(ALGORITHM, key, decode(signature), data);
  } catch {
    return false;
  }
}

/** @param {BufferSource} data @returns {Promise<string>} lower-case hexadecimal */
export async function sha256(data) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {ArrayBuffer} buffer */
export const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @param {string} text */
export const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

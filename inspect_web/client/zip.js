/** A ZIP file without compression, for handing a queue to another phone or to the office. */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

/** @param {Uint8Array} data */
export function crc32(data) {
  let crc = 0xffffffff;
  for (const byte of data) crc = TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** @param {[string, Uint8Array][]} files ASCII names @returns {Blob} */
export function zip(files) {
  const parts = [], directory = [];
  let offset = 0;
  for (const [name, data] of files) {
    const label = new TextEncoder().encode(name);
    const head = [20, 0, 0, 0, 0x21, crc32(data), data.length, data.length];
    const local = header(0x04034b50, head, label.length);
    directory.push([header(0x02014b50, head, label.length, offset), label]);
    parts.push(local, label, data);
    offset += local.length + label.length + data.length;
  }
  const central = directory.flat();
  const size = central.reduce((sum, part) => sum + part.length, 0);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return new Blob([...parts, ...central, new Uint8Array(end.buffer)], { type: "application/zip" });
}

function header(signature, [version, flags, method, time, date, crc, packed, size], nameLength, offset) {
  const central = offset !== undefined;
  const view = new DataView(new ArrayBuffer(central ? 46 : 30));
  view.setUint32(0, signature, true);
  let at = 4;
  const two = (value) => { view.setUint16(at, value, true); at += 2; };
  const four = (value) => { view.setUint32(at, value, true); at += 4; };
  if (central) two(version);
  [version, flags, method, time, date].forEach(two);
  [crc, packed, size].forEach(four);
  two(nameLength);
  two(0);
  if (central) { two(0); two(0); two(0); four(0); four(offset); }
  return new Uint8Array(view.buffer);
}

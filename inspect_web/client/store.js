/**
 * What this phone keeps, in IndexedDB: one database, every write on the disk before it is called
 * done ("strict": the default may lose committed data when the phone dies).
 */

const NAME = "inspect", VERSION = 1;
const KINDS = { meta: undefined, items: "id", photos: "sha256", drafts: "condition" };
/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const [kind, keyPath] of Object.entries(KINDS)) {
        request.result.createObjectStore(kind, keyPath ? { keyPath } : undefined);
      }
    };
    request.onsuccess = () => {
      // iOS closes databases of a page in the background; the next use opens it again.
      request.result.onclose = () => { opened = null; };
      request.result.onversionchange = () => { request.result.close(); opened = null; };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
  opened.catch(() => { opened = null; });
  return opened;
}

/**
 * One transaction. *work* gets the object stores by name and only queues requests.
 * @template T
 * @param {(keyof typeof KINDS)[]} kinds
 * @param {IDBTransactionMode} mode
 * @param {(stores: Record<string, IDBObjectStore>) => IDBRequest<T> | void} work
 * @returns {Promise<T | undefined>} the result of the request that *work* returned, after commit
 */
async function transact(kinds, mode, work, again = true) {
  const database = await open();
  let transaction;
  try {
    transaction = database.transaction(kinds, mode, { durability: "strict" });
  } catch (error) {
    opened = null; // it was closed under us
    if (again) return transact(kinds, mode, work, false);
    throw error;
  }
  const stores = Object.fromEntries(kinds.map((kind) => [kind, transaction.objectStore(kind)]));
  const request = work(stores);
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request ? request.result : undefined);
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
}

/** @param {keyof typeof KINDS} kind @param {IDBValidKey} key */
export const get = (kind, key) => transact([kind], "readonly", (s) => s[kind].get(key));

/** @param {keyof typeof KINDS} kind */
export const all = (kind) => transact([kind], "readonly", (s) => s[kind].getAll());

/** @param {keyof typeof KINDS} kind @param {unknown} value @param {IDBValidKey} [key] */
export const put = (kind, value, key) => transact([kind], "readwrite", (s) => s[kind].put(value, key));

/** @param {keyof typeof KINDS} kind @param {IDBValidKey} key */
export const remove = (kind, key) => transact([kind], "readwrite", (s) => s[kind].delete(key));

/**
 * Several writes that happen together or not at all.
 * @param {(keyof typeof KINDS)[]} kinds
 * @param {(stores: Record<string, IDBObjectStore>) => void} work
 */
export const together = (kinds, work) => transact(kinds, "readwrite", work);

/** Whether a photo of this many bytes still fits, as far as the browser tells. */
export async function fits(bytes) {
  if (!navigator.storage?.estimate) return true;
  const { quota = Infinity, usage = 0 } = await navigator.storage.estimate();
  return usage + bytes * 2 < quota;
}

/** Ask the browser not to throw this storage away; it may say no. */
export const persist = async () => (await navigator.storage?.persist?.()) ?? false;

/**
 * What a tab continues with after a reload. Each tab has its own. Where there is no storage, or the browser denies it, a
 * reload begins anew.
 */

/** @param {string} name */
export function recall(name) {
  return access((storage, key) => storage.getItem(key), name) ?? null;
}

/**
 * @param {string} name
 * @param {string | null} text null to forget it
 */
export function remember(name, text) {
  access((storage, key) => text === null ? storage.removeItem(key) : storage.setItem(key, text), name);
}

/**
 * @template Value
 * @param {(storage: Storage, key: string) => Value} use
 * @param {string} name
 */
function access(use, name) {
  try {
    return use(sessionStorage, `granary-${name}`);
  } catch {
    return undefined;
  }
}

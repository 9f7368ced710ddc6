/**
 * What a tab continues with after a reload. Each tab has its own. The browser may deny access to the storage, and then
 * a reload begins anew.
 */

/** @param {string} name */
const key = (name) => `granary-${name}`;

/**
 * Returns the text that was remembered under a name, or null if none exists.
 * @param {string} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return sessionStorage.getItem(key(name));
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
export function remember(name, text) {
  try {
    sessionStorage.setItem(key(name), text);
  } catch {
    // See above.
  }
}

/** @param {string} name */
export function forget(name) {
  try {
    sessionStorage.removeItem(key(name));
  } catch {
    // See above.
  }
}

/**
 * The sessions that a tab continues after a reload. Each tab has its own. The browser may deny access to the storage, and then
 * a reload begins with a new session.
 */

/** @param {string} name */
const key = (name) => `granary-session-${name}`;

/**
 * Returns the id of the session with a name, or null if there is none.
 * @param {string | null} name
 * @returns {string | null}
 */
export function recall(name) {
  try {
    return name === null ? null : sessionStorage.getItem(key(name));
  } catch {
    return null;
  }
}

/**
 * @param {string | null} name
 * @param {string} id
 */
export function remember(name, id) {
  try {
    if (name !== null) sessionStorage.setItem(key(name), id);
  } catch {
    // See above.
  }
}

/** @param {string | null} name */
export function forget(name) {
  try {
    if (name !== null) sessionStorage.removeItem(key(name));
  } catch {
    // See above.
  }
}

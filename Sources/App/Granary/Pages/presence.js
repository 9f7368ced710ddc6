/**
 * How a tab and the shared worker notice that the other has ended, also if it has crashed: each holds a lock, which the
 * browser releases with it. Only secure contexts have locks. Elsewhere, a tab that crashes is followed until the last one
 * is closed, and a worker that has crashed is noticed when it does not report a change.
 */

/** Resolves with the name of the lock that this tab or worker holds. Pending if there are no locks. @type {Promise<string>} */
export const presence = new Promise((resolve) => {
  const name = `granary-${Date.now()}-${Math.random()}`;
  request(name, () => {
    resolve(name);
    return new Promise(() => {});
  });
});

/**
 * Calls `action` when the holder of a lock has ended.
 * @param {string} name
 * @param {() => void} action
 */
export function whenGone(name, action) {
  request(name, action);
}

/**
 * @param {string} name
 * @param {() => unknown} callback
 */
function request(name, callback) {
  navigator.locks?.request(name, callback).catch(() => {
    // The browser may deny locks, and then there is no other way.
  });
}

/**
 * @typedef {{ifAvailable?: boolean, steal?: boolean, signal?: AbortSignal}} LockOptions
 * @typedef {(lock: object | null) => unknown} LockCallback holds the lock until the returned promise settles
 * @typedef {{callback: LockCallback, resolve: (value: unknown) => void, reject: (reason: unknown) => void}} LockRequest
 */

/**
 * The part of the Web Locks API that the page uses, limited to one page. Browsers provide the original, which all tabs
 * share, only in secure contexts: over TLS and on localhost.
 */
export class PageLocks {
  /** @type {Map<string, {holder: LockRequest | null, queue: LockRequest[]}>} */
  #locks = new Map();

  /**
   * @param {string} name
   * @param {LockOptions} options
   * @param {LockCallback} callback
   * @returns {Promise<unknown>} the callback's result; rejected with an `AbortError` if the lock is stolen
   */
  request(name, { ifAvailable = false, steal = false, signal }, callback) {
    const lock = this.#locks.get(name) ?? { holder: null, queue: [] };
    this.#locks.set(name, lock);
    return new Promise((resolve, reject) => {
      const request = { callback, resolve, reject };
      if (steal) lock.holder?.reject(new DOMException("The lock was stolen.", "AbortError"));
      if (steal || lock.holder === null) return this.#grant(lock, request);
      if (ifAvailable) return resolve(callback(null));
      lock.queue.push(request);
      signal?.addEventListener("abort", () => {
        // Aborting has no effect on a lock that was granted.
        if (!lock.queue.includes(request)) return;
        lock.queue = lock.queue.filter((waiting) => waiting !== request);
        reject(signal.reason);
      });
    });
  }

  /**
   * @param {{holder: LockRequest | null, queue: LockRequest[]}} lock
   * @param {LockRequest} request
   */
  async #grant(lock, request) {
    lock.holder = request;
    try {
      request.resolve(await request.callback({}));
    } catch (error) {
      request.reject(error);
    }
    if (lock.holder !== request) return;
    lock.holder = null;
    const next = lock.queue.shift();
    if (next) this.#grant(lock, next);
  }
}

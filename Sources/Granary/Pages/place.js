import { PageLocks } from "./locks.js";

/**
 * Over HTTP/1.1, a browser opens six connections to a server for all of its tabs, and each stream occupies one of them.
 * Four streams leave two connections for requests.
 */
const names = [1, 2, 3, 4].map((number) => `granary-stream-${number}`);

/** Whether all streams share one connection, as over HTTP/2. */
const isMultiplexed = ["h2", "h3"].includes(performance.getEntriesByType("navigation")[0]?.nextHopProtocol);

/** Whether tabs share the places. This requires Web Locks, which the browser releases even if a tab crashes. */
const isShared = navigator.locks !== undefined;
const locks = navigator.locks ?? new PageLocks();

/** Whether a background tab releases its places to the visible one, because tabs cannot share them. */
const isYielding = !isShared && !isMultiplexed;

/** @type {Set<StreamPlace>} */
const wanted = new Set();

if (isYielding) {
  document.addEventListener("visibilitychange", () => {
    for (const place of [...wanted]) document.hidden ? place.suspend() : place.request();
  });
}

/**
 * One of the four places for streams over HTTP/1.1, which all tabs share. Over HTTP/2, a place is always available.
 */
export class StreamPlace {
  /** The held lock. @type {{name: string, leave: () => void} | null} */
  #held = null;
  /** Aborts waiting for a place. @type {AbortController | null} */
  #waiting = null;

  /**
   * @param {{granted: () => void, refused: () => void, lost: () => void}} owner
   *   `granted` is called for each request as soon as a place is available, `refused` if the request must wait, and
   *   `lost` if the place was reassigned to another stream
   */
  constructor(owner) {
    this.owner = owner;
  }

  /** Requests a place: a free one immediately, or the first one that becomes free. */
  async request() {
    wanted.add(this);
    if (isYielding && document.hidden) return this.owner.refused();
    if (isMultiplexed || this.#held !== null) return this.owner.granted();
    if (this.#waiting !== null) return this.owner.refused();
    const waiting = new AbortController();
    this.#waiting = waiting;
    for (const name of names) {
      if (waiting.signal.aborted) return;
      if (await this.#take(name, { ifAvailable: true }, waiting)) return;
    }
    if (waiting.signal.aborted) return;
    this.owner.refused();
    for (const name of names) this.#take(name, { signal: waiting.signal }, waiting);
  }

  /** Takes the place of the least recently used stream. */
  claim() {
    if (isMultiplexed || this.#held !== null) return;
    this.#stopWaiting();
    const waiting = new AbortController();
    this.#waiting = waiting;
    wanted.add(this);
    const [oldest] = [...names].sort((one, other) => lastUse(one) - lastUse(other));
    this.#take(oldest, { steal: true }, waiting);
  }

  /** Marks the stream as used, so that it is not the next one to lose its place. */
  use() {
    if (this.#held !== null) recordUse(this.#held.name);
  }

  /** Releases the place, or stops waiting for one. */
  release() {
    wanted.delete(this);
    this.#stopWaiting();
    this.#held?.leave();
    this.#held = null;
  }

  /** Releases the place until it is requested again. */
  suspend() {
    const wasHeld = this.#held !== null;
    this.release();
    wanted.add(this);
    if (wasHeld) this.owner.lost();
  }

  #stopWaiting() {
    this.#waiting?.abort();
    this.#waiting = null;
  }

  /**
   * Requests the lock of a place and holds it once it is granted.
   * @param {string} name
   * @param {import("./locks.js").LockOptions} options
   * @param {AbortController} waiting
   * @returns {Promise<boolean>} whether the place was granted; pending until the browser grants or denies the lock
   */
  #take(name, options, waiting) {
    return new Promise((resolve) => {
      const { promise, resolve: leave } = Promise.withResolvers();
      const held = { name, leave };
      locks.request(name, options, (lock) => {
        // The stream waits for all locks at the same time and keeps only the first one.
        const isWanted = lock !== null && !waiting.signal.aborted;
        if (isWanted) this.#enter(held);
        resolve(isWanted);
        return isWanted ? promise : undefined;
      }).catch(() => {
        resolve(false);
        if (this.#held === held) this.#lose();
      });
    });
  }

  /** @param {{name: string, leave: () => void}} held */
  #enter(held) {
    this.#stopWaiting();
    this.#held = held;
    recordUse(held.name);
    this.owner.granted();
  }

  #lose() {
    this.#held = null;
    this.owner.lost();
    this.request();
  }
}

/**
 * The time of the last use of each place, in milliseconds. Tabs that share places share it through the storage.
 * @type {Map<string, number>}
 */
const uses = new Map();

/** @param {string} name */
function lastUse(name) {
  try {
    if (isShared) return Number(localStorage.getItem(name) ?? 0);
  } catch {
    // The browser may deny access to the storage. Then a tab knows only its own uses.
  }
  return uses.get(name) ?? 0;
}

/** @param {string} name */
function recordUse(name) {
  uses.set(name, Date.now());
  try {
    if (isShared) localStorage.setItem(name, String(Date.now()));
  } catch {
    // See `lastUse`.
  }
}

import { PageLocks } from "./locks.js";

/**
 * Over HTTP/1.1 a browser opens six connections to a server, for all of its tabs together, and each stream occupies
 * one. Four streams leave two connections for requests.
 */
const names = [1, 2, 3, 4].map((number) => `granary-stream-${number}`);

/** Whether any number of streams share one connection, as over HTTP/2. */
const isMultiplexed = ["h2", "h3"].includes(performance.getEntriesByType("navigation")[0]?.nextHopProtocol);

/** Tabs share places only where the browser offers Web Locks, which are released even when a tab crashes. */
const isShared = navigator.locks !== undefined;
const locks = navigator.locks ?? new PageLocks();

/** Where tabs cannot share the places, a tab in the background leaves them all to the visible one. */
const isYielding = !isShared && !isMultiplexed;

/** @type {Set<StreamPlace>} */
const wanted = new Set();

if (isYielding) {
  document.addEventListener("visibilitychange", () => {
    for (const place of [...wanted]) document.hidden ? place.suspend() : place.request();
  });
}

/**
 * One of the four places that streams have over HTTP/1.1, in all tabs together. Over HTTP/2 there is always a place.
 */
export class StreamPlace {
  /** The lock that is held. @type {{name: string, leave: () => void} | null} */
  #held = null;
  /** Aborted when nothing is waited for any more. @type {AbortController | null} */
  #waiting = null;

  /**
   * @param {{granted: () => void, refused: () => void, lost: () => void}} owner
   *   `granted` is called for each request as soon as there is a place, `refused` when the request has to wait, and
   *   `lost` when the place was given to another stream
   */
  constructor(owner) {
    this.owner = owner;
  }

  /** Requests a place: a free one immediately, otherwise the first one that becomes free. */
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

  /** Takes the place of the stream that has not been used for the longest time. */
  claim() {
    if (isMultiplexed || this.#held !== null) return;
    this.#stopWaiting();
    const waiting = new AbortController();
    this.#waiting = waiting;
    wanted.add(this);
    const [oldest] = [...names].sort((one, other) => lastUse(one) - lastUse(other));
    this.#take(oldest, { steal: true }, waiting);
  }

  /** Records that somebody uses the stream, so that it is not the next one to lose its place. */
  use() {
    if (this.#held !== null) recordUse(this.#held.name);
  }

  /** Gives the place, or the wish for one, up. */
  release() {
    wanted.delete(this);
    this.#stopWaiting();
    this.#held?.leave();
    this.#held = null;
  }

  /** Gives the place up until it is requested again. */
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
   * Holds the lock of a place from the moment at which the browser grants it.
   * @param {string} name
   * @param {import("./locks.js").LockOptions} options
   * @param {AbortController} waiting
   * @returns {Promise<boolean>} whether the place was granted; a lock that has to be waited for resolves it late
   */
  #take(name, options, waiting) {
    return new Promise((resolve) => {
      const { promise, resolve: leave } = Promise.withResolvers();
      const held = { name, leave };
      locks.request(name, options, (lock) => {
        // Several locks are waited for at the same time, and only the first one is kept.
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
 * When each place was last used, in milliseconds; tabs that share places share this too.
 * @type {Map<string, number>}
 */
const uses = new Map();

/** @param {string} name */
function lastUse(name) {
  try {
    if (isShared) return Number(localStorage.getItem(name) ?? 0);
  } catch {
    // A browser may forbid the storage. Then a tab knows of its own uses only.
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

/** The time in milliseconds after which a pending request is late. */
const late = 1000;

/**
 * Reports when a promise takes longer than a second to settle.
 * @template Value
 * @param {Promise<Value>} promise
 * @param {{begin: () => void, end?: () => void}} late `begin` is called after a second, and `end` when the promise settles
 *   after that
 * @returns {Promise<Value>}
 */
export async function whenLate(promise, { begin, end }) {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    begin();
  }, late);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    if (isLate) end?.();
  }
}

/** The status of a session, which it reports whenever it changes. */
export class Situation {
  /** The number of requests that are late. */
  #late = 0;
  /** @type {{status: string, reason?: string, message?: string, until?: number}} */
  #current = { status: "connecting" };

  /** @param {(status: object) => void} report */
  constructor(report) {
    this.report = report;
  }

  get status() {
    return this.#current.status;
  }

  get current() {
    return { ...this.#current, isLate: this.#late > 0 };
  }

  /**
   * @param {"connecting" | "live" | "offline" | "ended"} status
   * @param {{reason?: string, message?: string, until?: number}} [details]
   */
  become(status, details = {}) {
    const isSame = status === this.status && details.until === this.#current.until && details.message === this.#current.message;
    this.#current = { status, ...details };
    if (!isSame) this.report(this.current);
  }

  /**
   * Reports that a request is pending if it takes longer than a second.
   * @template Value
   * @param {Promise<Value>} promise
   * @returns {Promise<Value>}
   */
  watch(promise) {
    const count = (change) => {
      this.#late += change;
      this.report(this.current);
    };
    return whenLate(promise, { begin: () => count(1), end: () => count(-1) });
  }
}

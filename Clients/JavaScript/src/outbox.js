import { now, pause, since } from "./backoff.js";
import { GranaryError, isForeign, kind, refusal } from "./request.js";

/** The longest time in milliseconds that a request may take, so that a repetition still arrives in time. */
const margin = 60_000;

/**
 * What to do after an attempt to send an input.
 * @typedef {{do: "done"} | {do: "fail", code: "refused" | "unknown"} | {do: "ended"}
 *   | {do: "retry", after: number, mayHaveRun: boolean}} Decision
 */

/** The number of attempts to read a session that does not have an input. */
const mostAttempts = 20;

/** Statuses with which the server says that a request has not run, but may run later. */
const deferring = [408, 425, 429, 503];

/** Statuses that do not tell whether an earlier attempt has run. */
const silent = [401, 403, 421, ...deferring];

/**
 * Decides what to do after an attempt. An input is repeated with its key, and only while the server certainly remembers it.
 * @param {number} attempts the number of attempts before this one
 * @param {import("./request.js").Reply | null} reply null if there was no complete response
 * @param {{queued: number, sent: number, attempt: number, retention: number, canRenew?: boolean, chance?: number}} times
 *   the times in milliseconds since the input was queued, since the first earlier attempt that may have run (0 if there is
 *   none) and since this attempt began, and for how long the server remembers keys
 * @returns {Decision}
 */
export function decide(attempts, reply, { queued, sent, attempt, retention, canRenew = false, chance }) {
  const { status = 0, retryAfter = 0, body } = reply ?? {};
  if (status === 200 && typeof body?.version === "number") return { do: "done" };
  // Without a problem of the server, the response is from somebody between here and the server.
  const known = kind(body);
  const isUnclear = status < 400 || known === "idempotency-conflict" || known === "unanswered"
    || !known && (status >= 500 || status === 408) || isForeign(status, body);
  if (!isUnclear && (status === 404 || status === 410)) return { do: "ended" };
  const isDeferred = deferring.includes(status) || attempts < 5 && (status === 421 || status === 401 && canRenew);
  const mayHaveRun = isUnclear || sent > 0;
  const after = Math.max(retryAfter, pause(attempts, chance));
  if (isUnclear || isDeferred) {
    const age = mayHaveRun ? sent || attempt : queued;
    if (age + after + margin < retention) return { do: "retry", after, mayHaveRun };
    return { do: "fail", code: mayHaveRun ? "unknown" : "refused" };
  }
  return { do: "fail", code: sent > 0 && (!known || silent.includes(status)) ? "unknown" : "refused" };
}

/**
 * An input that is sent with a key, until there is a response.
 * @typedef {{input: string, body: string | undefined, key: string, queued: number[], sent?: number[], attempts: number, isInFlight?: boolean,
 *   overlay?: import("./values.js").Overlay, resolve: (changes: any) => void, reject: (error: Error) => void}} Entry
 */

/** Sends inputs one after another, each of them once. */
export class Outbox {
  /** @type {Entry[]} */
  #entries = [];
  #isSending = false;
  #wake = () => {};

  /**
   * @param {{post: (entry: Entry) => Promise<import("./request.js").Reply>,
   *   ended: (reply: import("./request.js").Reply) => Promise<GranaryError | undefined>,
   *   settle: (overlay: import("./values.js").Overlay | undefined, version?: number, changes?: any) => void,
   *   isOpen: () => boolean, canRenew: () => boolean, limit: number, retention: number}} session `ended` returns the reason why the
   *   session does not have the input
   */
  constructor(session) {
    this.session = session;
  }

  /** The number of inputs without a response. */
  get length() {
    return this.#entries.length;
  }

  /**
   * @param {string} input
   * @param {string | undefined} body the value in JSON
   * @param {import("./values.js").Overlay} [overlay] what was predicted
   * @returns {Promise<{version: number, changes: Record<string, unknown> | null}>}
   */
  add(input, body, overlay) {
    return new Promise((resolve, reject) => {
      this.#entries.push({ input, body, key: randomKey(), queued: now(), attempts: 0, overlay, resolve, reject });
      this.run();
    });
  }

  /** Sends what waits, without a further pause. */
  async run() {
    this.#wake();
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#entries.length > 0 && this.session.isOpen()) {
        const [entry] = this.#entries;
        // A mistake must not stop the inputs after it.
        await this.#attempt(entry).catch((error) => this.#drop(entry, error));
      }
    } finally {
      this.#isSending = false;
    }
  }

  /**
   * Gives up everything that waits.
   * @param {string} code
   * @param {string} message
   */
  clear(code, message) {
    for (const entry of this.#entries.splice(0)) this.#drop(entry, entry.sent || entry.isInFlight ? unknown() : new GranaryError(code, message));
    this.#wake();
  }

  /** @param {Entry} entry */
  async #attempt(entry) {
    const { session } = this;
    const begun = now();
    entry.isInFlight = true;
    const reply = await session.post(entry).catch(() => null);
    entry.isInFlight = false;
    // The session may have ended meanwhile.
    if (this.#entries[0] !== entry) return;
    const decision = decide(entry.attempts, reply, {
      queued: since(entry.queued), sent: entry.sent ? Math.max(since(entry.sent), 1) : 0, attempt: since(begun),
      retention: session.retention, canRenew: session.canRenew(),
    });
    entry.attempts += 1;
    switch (decision.do) {
      case "done": {
        const { version, changes } = /** @type {any} */ (reply).body;
        this.#entries.shift();
        entry.resolve({ version, changes });
        return session.settle(entry.overlay, version, changes);
      }
      case "ended": {
        const error = await session.ended(/** @type {any} */ (reply)).catch(() => null);
        if (this.#entries[0] !== entry) return;
        if (error === undefined) return;
        if (error !== null) return this.#drop(entry, error);
        if (entry.attempts < mostAttempts) return this.#sleep(pause(entry.attempts));
        if (entry.sent) return this.#drop(entry, unknown());
        break;
      }
      case "retry":
        if (decision.mayHaveRun) entry.sent ??= begun;
        return this.#sleep(decision.after);
    }
    this.#drop(entry, decision.do === "fail" && decision.code === "unknown" ? unknown() : refusal(/** @type {any} */ (reply)));
  }

  /**
   * Rejects an input, which no longer waits.
   * @param {Entry} entry
   * @param {Error} error
   */
  #drop(entry, error) {
    if (this.#entries[0] === entry) this.#entries.shift();
    entry.reject(error);
    this.session.settle(entry.overlay);
  }

  /** @param {number} time */
  #sleep(time) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }
}

function unknown() {
  return new GranaryError("unknown", "The server cannot be reached. The input may have had an effect.");
}

/** Returns a text that nobody can guess. Only secure contexts have `crypto.randomUUID`. */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

import { whenLate } from "./late.js";

/**
 * The state of a session:
 * - `connecting`: the session is being created, or its stream is being opened
 * - `live`: the stream is open, and requests get responses in time
 * - `waiting`: the stream was lost and is opened again, at `until` if that is known
 * - `failed`: the session has ended and cannot be resumed
 *
 * `isLate` states that a request has been pending for more than a second.
 * @typedef {{
 *   name: "connecting" | "live" | "waiting" | "failed", detail?: string, until?: number, isLate?: boolean,
 * }} Situation
 */

/** Reports the situation of a session whenever it changes. */
export class SituationReport {
  /** @type {Situation} */
  #situation = { name: "connecting" };
  /** The number of requests that have been pending for more than a second. */
  #late = 0;

  /** @param {(situation: Situation) => void} report */
  constructor(report) {
    this.report = report;
  }

  get name() {
    return this.#situation.name;
  }

  /** @param {Situation} situation */
  become(situation) {
    this.#situation = situation;
    this.#send();
  }

  /**
   * Shows that a request is pending if it takes longer than a second.
   * @template Value
   * @param {Promise<Value>} promise
   * @returns {Promise<Value>}
   */
  watch(promise) {
    const count = (change) => {
      this.#late += change;
      this.#send();
    };
    return whenLate(promise, { begin: () => count(1), end: () => count(-1) });
  }

  #send() {
    this.report({ ...this.#situation, isLate: this.#late > 0 });
  }
}

/** The number of changes that an iteration keeps; further ones are merged into the last one. */
const mostChanges = 256;

/** Calls functions when something happens. */
export class Emitter {
  /** @type {Map<string, Set<(...values: any[]) => void>>} */
  #listeners = new Map();

  /**
   * Calls a function whenever something happens. Returns a function that stops that.
   * @param {string} event
   * @param {(...values: any[]) => void} listener
   */
  on(event, listener) {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /**
   * @param {string} event
   * @param {unknown[]} values
   */
  emit(event, ...values) {
    for (const listener of [...this.#listeners.get(event) ?? []]) {
      try {
        listener(...values);
      } catch (error) {
        // The mistake of one listener must not stop the others or the session.
        console.error(error);
      }
    }
  }

  /** Whether nothing will happen any more. */
  get isEnded() {
    return false;
  }

  /** Iterates over the changes from now on, until the session ends. A slow reader gets several changes as one. */
  [Symbol.asyncIterator]() {
    /** @type {Record<string, unknown>[]} */
    const changes = [];
    let wake = () => {};
    const stops = [
      this.on("change", (change) => {
        if (changes.length < mostChanges) changes.push({ ...change });
        else Object.assign(changes[mostChanges - 1], change);
        wake();
      }),
      this.on("end", () => wake()),
    ];
    const finish = async () => {
      for (const stop of stops) stop();
      return { done: true, value: undefined };
    };
    return {
      next: async () => {
        for (;;) {
          const value = changes.shift();
          if (value !== undefined) return { done: false, value };
          if (this.isEnded) return finish();
          await new Promise((resolve) => (wake = () => resolve(undefined)));
        }
      },
      return: finish,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

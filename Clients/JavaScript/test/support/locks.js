/** Web Locks (w3c.github.io/web-locks) within this process: exclusive locks, with `signal` and `steal`. */
export class FakeLocks {
  /** The requests for each lock; the first one holds it. @type {Map<string, any[]>} */
  #requests = new Map();

  /** Makes them those of the page. */
  static provide() {
    const locks = new FakeLocks();
    Object.defineProperty(globalThis, "navigator", { configurable: true, value: { locks } });
    return locks;
  }

  /** Returns whether somebody holds a lock. */
  isHeld(name) {
    return (this.#requests.get(name) ?? []).length > 0;
  }

  request(name, ...rest) {
    const [{ signal, steal = false }, callback] = rest.length > 1 ? rest : [{}, rest[0]];
    if (signal && steal) return Promise.reject(new DOMException("", "NotSupportedError"));
    return new Promise((resolve, reject) => {
      const queue = this.#requests.get(name) ?? [];
      this.#requests.set(name, queue);
      const request = { callback, resolve, reject };
      const abort = () => reject(new DOMException("", "AbortError"));
      signal?.addEventListener("abort", () => {
        // The signal has no effect on a lock that is held.
        if (queue.indexOf(request) < 1) return;
        queue.splice(queue.indexOf(request), 1);
        abort();
      });
      if (steal) {
        queue.shift()?.reject(new DOMException("", "AbortError"));
        queue.unshift(request);
        this.#grant(name, request);
      } else if (queue.push(request) === 1) {
        this.#grant(name, request);
      }
    });
  }

  async #grant(name, request) {
    await null;
    const result = await request.callback({ name });
    request.resolve(result);
    const queue = this.#requests.get(name) ?? [];
    // A lock that was stolen is no longer that of the request.
    if (queue[0] !== request) return;
    queue.shift();
    if (queue.length > 0) this.#grant(name, queue[0]);
  }
}

/** Makes channels that do not keep the process running. */
export function provideChannels() {
  const { BroadcastChannel } = globalThis;
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name) {
      super(name);
      this.unref();
    }
  };
}

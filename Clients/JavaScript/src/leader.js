import { StreamHub } from "./hub.js";
import { randomKey } from "./outbox.js";
import { presence, whenGone } from "./presence.js";

/**
 * The tabs of a browser without shared workers: one of them, the leader, has the stream of a principal. It holds a lock, which
 * the browser gives to another tab when the leader is closed or crashes. Followers then follow again from their positions.
 */
export class ElectedStreams {
  /** @type {StreamHub | null} */
  #hub = null;
  #id = randomKey();
  #count = 0;
  /** The ports of the followers of this tab. @type {Map<string, MessagePort>} */
  #own = new Map();
  /** The ports to the hub for those of other tabs. @type {Map<string, MessagePort>} */
  #others = new Map();
  /** @type {AbortController | null} */
  #candidacy = null;

  /**
   * @param {string} name the same in all tabs that may share a stream
   * @param {() => void} restart called when sessions must be followed again
   */
  constructor(name, restart) {
    this.name = name;
    this.restart = restart;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }) => this.#receive(data);
    globalThis.addEventListener?.("pagehide", () => this.#resign());
  }

  /**
   * @param {import("./hub.js").Followed} followed
   * @param {MessagePort} port
   */
  follow(followed, port) {
    const number = `${this.#id} ${this.#count += 1}`;
    const { port1: near, port2: far } = new MessageChannel();
    this.#own.set(number, port);
    port.onmessage = ({ data }) => {
      if (data.type === "stop") this.#own.delete(number);
      if (near.onmessage) near.postMessage(data);
      // Credentials stay in their tab.
      else if (data.type !== "renew") this.channel.postMessage({ number, say: data });
      if (this.#own.size === 0) this.#resign();
    };
    if (this.#hub !== null) {
      near.onmessage = ({ data }) => port.postMessage(data);
      this.#hub.follow(followed, far);
    } else {
      this.#post(number, followed);
    }
    this.#stand();
  }

  async #post(number, followed) {
    const tab = await Promise.race([presence, undefined]);
    this.channel.postMessage({ number, tab, followed: { ...followed, authorization: "" } });
  }

  /** Becomes the leader as soon as there is no other one. */
  #stand() {
    if (this.#candidacy !== null) return;
    const candidacy = new AbortController();
    this.#candidacy = candidacy;
    const lead = () => new Promise((resolve) => {
      if (candidacy !== this.#candidacy) return resolve(undefined);
      candidacy.signal.addEventListener("abort", resolve);
      this.#lead();
    });
    navigator.locks.request(this.name, { signal: candidacy.signal }, lead).catch(() => {
      // The browser denies locks, so each tab has a stream.
      if (candidacy === this.#candidacy) this.#lead();
    });
  }

  #lead() {
    this.#hub = new StreamHub();
    this.channel.postMessage({ isLed: true });
    this.restart();
  }

  #resign() {
    const candidacy = this.#candidacy;
    this.#candidacy = null;
    this.#hub?.close();
    this.#hub = null;
    for (const port of this.#others.values()) port.postMessage({ type: "stop" });
    this.#others.clear();
    candidacy?.abort();
  }

  #receive({ isLed, number, tab, followed, say, tell }) {
    if (isLed) return this.restart();
    if (tell) return this.#own.get(number)?.postMessage(tell);
    if (this.#hub === null) return;
    if (say) {
      this.#others.get(number)?.postMessage(say);
      if (say.type === "stop") this.#others.delete(number);
      return;
    }
    const { port1: near, port2: far } = new MessageChannel();
    const gone = new AbortController();
    near.onmessage = ({ data }) => {
      // The leader has the credential of the same principal.
      if (data.type !== "authorize") this.channel.postMessage({ number, tell: data });
    };
    this.#others.set(number, near);
    if (tab) whenGone(tab, () => gone.abort());
    this.#hub.follow(followed, far, gone.signal);
  }
}

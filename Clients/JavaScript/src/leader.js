import { StreamHub } from "./hub.js";
import { randomKey } from "./outbox.js";
import { presence, whenGone } from "./presence.js";

/** The time in milliseconds that a leader has for a response. */
const patience = 5000;

/**
 * The tabs of a browser without shared workers: one of them, the leader, has the stream of a principal. It holds a lock, which
 * the browser gives to another tab when the leader is closed or crashes. Another tab takes it from a leader that does not respond.
 * Followers then follow again from their positions.
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
  /** Fires if the leader does not respond. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

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
      if (data.type === "doubt") this.#expect();
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
    this.#expect();
  }

  /** Replaces the leader if it does not respond, for example because its tab hangs or is frozen. */
  #expect() {
    clearTimeout(this.#timer);
    if (this.#hub === null && this.#candidacy !== null) this.#timer = setTimeout(() => this.#stand(true), patience);
  }

  /**
   * Becomes the leader as soon as there is no other one.
   * @param {boolean} [steal] whether it takes the lock from the leader
   */
  #stand(steal = false) {
    if (this.#candidacy !== null && !steal) return;
    const candidacy = new AbortController();
    const previous = this.#candidacy;
    this.#candidacy = candidacy;
    previous?.abort();
    const lead = () => new Promise((resolve) => {
      if (candidacy !== this.#candidacy) return resolve(undefined);
      candidacy.signal.addEventListener("abort", resolve);
      this.#lead();
    });
    navigator.locks.request(this.name, steal ? { steal } : { signal: candidacy.signal }, lead).catch(() => {
      if (candidacy !== this.#candidacy) return;
      // The browser denies locks, so each tab has a stream.
      if (this.#hub === null) return this.#lead();
      // Another tab has taken the lock.
      this.#resign();
      this.restart();
    });
  }

  #lead() {
    clearTimeout(this.#timer);
    this.#hub = new StreamHub();
    this.channel.postMessage({ isLed: true });
    this.restart();
  }

  #resign() {
    const candidacy = this.#candidacy;
    clearTimeout(this.#timer);
    this.#candidacy = null;
    this.#hub?.close();
    this.#hub = null;
    for (const port of this.#others.values()) port.postMessage({ type: "stop" });
    this.#others.clear();
    candidacy?.abort();
  }

  #receive({ isLed, number, tab, followed, say, tell }) {
    if (isLed || tell) clearTimeout(this.#timer);
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

import { now, since } from "./backoff.js";
import { EventParser } from "./parser.js";
import { retryAfter } from "./request.js";
import {
  add, authorized, doubted, hurried, lasted, lost, makeStream, mostSessions, opened, received, refused, remove, timerFired,
} from "./stream.js";

/** The time in milliseconds without a byte after which a stream is dead. The server sends a comment every 15 s. */
const silence = 50_000;

/** The time in milliseconds after which a stream has lasted: an interruption of it is the first one again. */
const lasting = 10_000;

/** Performs the actions of one stream: holds its connection, its timers, and the ports of its followers. */
export class StreamConnection {
  /** @type {AbortController | null} */
  #connection = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #watch;
  /** The ports of the followers of each session. @type {Map<string, Set<MessagePort>>} */
  #followers = new Map();
  #stream = makeStream();

  /** @param {{server: string, credentials?: RequestCredentials, fetch?: typeof fetch}} options */
  constructor(options) {
    this.options = options;
  }

  /** Whether the connection follows no session, so that it is no longer needed. */
  get isEmpty() {
    return this.#stream.positions.size === 0;
  }

  /** Whether another session can be added. */
  get hasRoom() {
    return this.#stream.positions.size < mostSessions;
  }

  /** @param {string} session */
  has(session) {
    return this.#stream.positions.has(session);
  }

  /**
   * Sends what happens in a session to a port, until the port sends `stop` or its tab has ended.
   * @param {import("./hub.js").Followed} followed
   * @param {MessagePort} port
   * @param {AbortSignal} [gone] aborted when the tab of the port has ended
   */
  follow({ session, position, authorization }, port, gone) {
    const stop = () => {
      gone?.removeEventListener("abort", stop);
      this.#stop(session, port);
      port.close();
    };
    port.onmessage = ({ data }) => {
      switch (data.type) {
        case "stop": return stop();
        case "ping": return port.postMessage({ type: "alive" });
        case "doubt":
          port.postMessage({ type: "alive" });
          return this.#perform(doubted(this.#stream, Math.random()));
        case "hurry": return this.#perform(hurried(this.#stream));
        case "renew": this.#perform(authorized(this.#stream, data.authorization));
      }
    };
    gone?.addEventListener("abort", stop);
    port.postMessage({ type: "alive" });
    this.#followers.set(session, (this.#followers.get(session) ?? new Set()).add(port));
    if (authorization) this.#stream.authorization = authorization;
    this.#perform(add(this.#stream, session, position), port);
  }

  /** Stops immediately, without a message to the followers. */
  close() {
    this.#close();
    this.#followers.clear();
    this.#stream = makeStream();
  }

  /**
   * @param {string} session
   * @param {MessagePort} port
   */
  #stop(session, port) {
    const ports = this.#followers.get(session);
    if (!ports?.delete(port) || ports.size > 0) return;
    this.#followers.delete(session);
    this.#perform(remove(this.#stream, session));
  }

  /**
   * @param {import("./stream.js").Action[]} actions
   * @param {MessagePort} [added] the follower that was added
   */
  #perform(actions, added) {
    for (const action of actions) {
      switch (action.do) {
        case "connect": this.#connect(action.path); break;
        case "close": this.#close(); break;
        case "wait": this.#wait(action.time); break;
        case "greet": added?.postMessage(action.message); break;
        case "tell": for (const session of action.sessions) this.#tell(session, action.message);
      }
    }
  }

  /** @param {string} path */
  async #connect(path) {
    this.#close();
    const connection = new AbortController();
    this.#connection = connection;
    const begun = now();
    let heard = begun;
    this.#watch = setInterval(() => {
      if (since(begun) > lasting) lasted(this.#stream);
      if (since(heard) > silence) connection.abort();
    }, 5000);
    const perform = (decide) => {
      // A closed connection may still deliver something.
      if (connection === this.#connection) this.#perform(decide(Math.random()));
    };
    try {
      const { server, credentials, fetch: open = fetch } = this.options;
      const { authorization } = this.#stream;
      const response = await open(server + path, {
        headers: {
          Accept: "text/event-stream", Prefer: "status", ...(authorization ? { Authorization: authorization } : {}),
        },
        cache: "no-store", credentials, signal: connection.signal,
      });
      if (response.status !== 200) {
        const time = retryAfter(response.headers);
        response.body?.cancel().catch(() => undefined);
        return perform((chance) => refused(this.#stream, response.status, time, chance));
      }
      if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) throw new TypeError("expected an event stream");
      perform(() => opened(this.#stream));
      const parser = new EventParser((name, data) => {
        if (parser.retry !== undefined) this.#stream.retry = parser.retry;
        perform((chance) => received(this.#stream, name, data, chance));
      });
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        heard = now();
        parser.push(decoder.decode(part.value, { stream: true }));
      }
    } catch {
      // See below.
    }
    perform((chance) => lost(this.#stream, chance));
  }

  #close() {
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    const connection = this.#connection;
    this.#connection = null;
    connection?.abort();
  }

  /** @param {number} time */
  #wait(time) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#perform(timerFired(this.#stream)), time);
  }

  /**
   * @param {string} session
   * @param {import("./stream.js").Message} message
   */
  #tell(session, message) {
    for (const port of this.#followers.get(session) ?? []) port.postMessage(message);
    if (message.type === "end") this.#followers.delete(session);
  }
}

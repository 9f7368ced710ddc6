import { add, doubted, lost, makeStream, mostSessions, opened, received, remove, timerFired } from "./stream.js";

/** Performs the actions of one stream: holds its connection, its timer, and the ports of its followers. */
export class StreamConnection {
  /** @type {EventSource | null} */
  #source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The ports of the followers of each session. @type {Map<string, Set<MessagePort>>} */
  #followers = new Map();
  #stream = makeStream();

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
   * @param {string} session
   * @param {string} ticket the credential of the stream; empty for that of the browser
   * @param {MessagePort} port
   * @param {AbortSignal} [gone] aborted when the tab of the port has ended
   */
  follow(session, ticket, port, gone) {
    const stop = () => {
      gone?.removeEventListener("abort", stop);
      this.#stop(session, port);
    };
    port.addEventListener("message", ({ data }) => {
      switch (data.type) {
        case "stop": return stop();
        case "doubt":
          port.postMessage({ type: "alive" });
          return this.#perform(doubted(this.#stream, Math.random()));
        case "renew": this.#stream.ticket = data.ticket;
      }
    });
    gone?.addEventListener("abort", stop);
    port.start();
    this.#stream.ticket = ticket;
    this.#followers.set(session, (this.#followers.get(session) ?? new Set()).add(port));
    this.#perform(add(this.#stream, session));
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

  /** @param {import("./stream.js").Action[]} actions */
  #perform(actions) {
    for (const action of actions) {
      switch (action.do) {
        case "connect": this.#connect(action.url); break;
        case "close": this.#close(); break;
        case "wait": this.#wait(action.time); break;
        case "tell": for (const session of action.sessions) this.#tell(session, action.message);
      }
    }
  }

  /** @param {string} url */
  #connect(url) {
    this.#close();
    const source = new EventSource(url);
    this.#source = source;
    const on = (name, decide) => source.addEventListener(name, (event) => {
      // Events of a closed connection may still arrive.
      if (source === this.#source) this.#perform(decide(event));
    });
    on("open", () => opened(this.#stream));
    for (const name of ["snapshot", "change", "resume", "end"]) {
      on(name, ({ data }) => received(this.#stream, name, data, Math.random()));
    }
    on("error", () => lost(this.#stream, source.readyState === EventSource.CLOSED, Math.random()));
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
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

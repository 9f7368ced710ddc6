import { StreamHub } from "./hub.js";
import { presence, whenGone } from "./presence.js";

/**
 * The time in milliseconds after which a worker that has ended is started again, and after which one that does not respond
 * is regarded as ended.
 */
const restart = 1000;

/** The sessions that the page follows. @type {Set<Following>} */
const followings = new Set();

/**
 * Where the streams are: in a worker that all tabs share, or in this page if the browser has no shared workers or does not
 * permit them.
 * @typedef {{follow: (followed: {session: string, ticket: string}, port: MessagePort) => void}} Streams
 * @type {Streams}
 */
let streams = sharedStreams();

/** @returns {Streams} */
function sharedStreams() {
  try {
    // When the last page of the worker is left but kept to be shown again, browsers freeze the worker with its connections.
    // The extended lifetime gives it the time to close them. Browsers that do not know it ignore it.
    const worker = new SharedWorker("/worker.js", { type: "module", extendedLifetime: true });
    worker.addEventListener("error", () => replace(shared, () => new StreamHub()));
    // The browser ends the worker if the tab that has started it crashes.
    worker.port.onmessage = ({ data }) => whenGone(data, () => setTimeout(() => replace(shared, sharedStreams), restart));
    presence.then((name) => worker.port.postMessage(name));
    const shared = { follow: (followed, port) => worker.port.postMessage(followed, [port]) };
    return shared;
  } catch {
    return new StreamHub();
  }
}

/**
 * Continues elsewhere, unless that has been done.
 * @param {Streams} lost
 * @param {() => Streams} next
 */
function replace(lost, next) {
  if (streams !== lost) return;
  streams = next();
  for (const following of followings) following.restart();
}

/** Receives what happens in a session. */
export class Following {
  /** @type {MessagePort | null} */
  #port = null;
  /** Fires if a doubt gets no response. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} session
   * @param {string} ticket the credential of the stream; empty for that of the browser
   * @param {(message: import("./stream.js").Message) => void} receive
   */
  constructor(session, ticket, receive) {
    this.session = session;
    this.ticket = ticket;
    this.receive = receive;
    followings.add(this);
    this.#start();
  }

  /** Begins again with a snapshot. */
  restart() {
    this.pause();
    this.receive({ type: "waiting", pause: 0 });
    this.#start();
  }

  #start() {
    const { port1: port, port2: other } = new MessageChannel();
    port.addEventListener("message", ({ data }) => {
      if (port !== this.#port) return;
      clearTimeout(this.#timer);
      this.receive(data);
    });
    port.start();
    this.#port = port;
    streams.follow({ session: this.session, ticket: this.ticket }, other);
  }

  /** Has the stream checked, because it has not reported a change, and replaces a worker that has ended. */
  doubt() {
    const doubted = streams;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => replace(doubted, sharedStreams), restart);
    this.#port?.postMessage({ type: "doubt" });
  }

  /**
   * Replaces the ticket, for the next connection.
   * @param {string} ticket
   */
  renew(ticket) {
    this.ticket = ticket;
    this.#port?.postMessage({ type: "renew", ticket });
  }

  /** Stops until it begins again. */
  pause() {
    clearTimeout(this.#timer);
    this.#port?.postMessage({ type: "stop" });
    this.#port?.close();
    this.#port = null;
  }

  stop() {
    followings.delete(this);
    this.pause();
  }
}

// A page that the user has left does not keep its sessions alive, and may be shown again unchanged.
addEventListener("pagehide", () => followings.forEach((following) => following.pause()));
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) followings.forEach((following) => following.restart());
});

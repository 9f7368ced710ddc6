import { presence, whenGone } from "./presence.js";

/**
 * The time in milliseconds after which a worker that has ended is started again, and after which one that does not respond
 * to a doubt is regarded as ended.
 */
const restart = 1000;

/** The time in milliseconds that a worker has to load its modules, and after which one that sends nothing has to respond. */
const [loading, silence] = [5000, 30_000];

/** What the page follows. @type {Set<Following>} */
const followings = new Set();

/**
 * Where the streams are: in a worker that all tabs share; else in one of the tabs; else in this page.
 * @typedef {{follow: (followed: import("./hub.js").Followed, port: MessagePort) => void}} Streams
 */

/** Whether the browser has shared workers and permits them. */
let hasWorkers = typeof SharedWorker !== "undefined";

/** Whether the previous worker was replaced because it did not respond. */
let isSilent = false;

/** @type {Map<string, Promise<Streams>>} */
const places = new Map();

/**
 * @param {string} principal what tells principals and servers apart
 * @param {{fetch?: typeof fetch, isShared: boolean}} options
 */
function streams(principal, { fetch, isShared }) {
  // Only this page has its replacement for `fetch`.
  const key = !isShared || fetch ? "" : hasWorkers ? "worker" : principal;
  let place = fetch === undefined ? places.get(key) : undefined;
  if (place === undefined) {
    place = key === "" ? local(fetch) : hasWorkers ? sharedWorker(key) : elected(key).catch(() => local());
    if (fetch === undefined) places.set(key, place);
  }
  return { key, place };
}

async function local(fetch) {
  const { StreamHub } = await import("./hub.js");
  const hub = new StreamHub(fetch);
  globalThis.addEventListener?.("pagehide", () => hub.close());
  return hub;
}

/** @returns {Promise<Streams>} */
async function sharedWorker(key) {
  // Those who follow have to know where they are before it fails.
  await null;
  try {
    // When the last page of the worker is left but kept to be shown again, browsers freeze the worker with its connections.
    // The extended lifetime gives it the time to close them. Browsers that do not know it ignore it.
    const options = /** @type {WorkerOptions} */ ({ type: "module", extendedLifetime: true });
    const worker = new SharedWorker(new URL("./worker.js", import.meta.url), options);
    const shared = { follow: (followed, port) => worker.port.postMessage(followed, [port]) };
    worker.addEventListener("error", () => {
      hasWorkers = false;
      replace(key, shared);
    });
    // The browser ends the worker if the tab that has started it crashes.
    worker.port.onmessage = ({ data }) => whenGone(data, () => setTimeout(() => replace(key, shared), restart));
    presence.then((name) => worker.port.postMessage(name));
    return shared;
  } catch {
    hasWorkers = false;
    places.delete(key);
    for (const following of followings) following.restart(key);
    return { follow: () => {} };
  }
}

async function elected(principal) {
  if (!globalThis.navigator?.locks || typeof BroadcastChannel === "undefined") return local();
  const { ElectedStreams } = await import("./leader.js");
  // Others must not see credentials in the names of locks.
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(principal));
  const name = `granary ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
  return new ElectedStreams(name, () => followings.forEach((following) => following.restart(principal)));
}

/**
 * Continues elsewhere, unless that has been done.
 * @param {string} key
 * @param {Streams} lost
 * @param {boolean} [hangs] whether it does not respond
 */
async function replace(key, lost, hangs = false) {
  if (key !== "worker" || await places.get(key) !== lost) return;
  // The browser starts another worker only if this one has ended. One that hangs gets the page again.
  if (hangs && isSilent) hasWorkers = false;
  isSilent = hangs;
  places.delete(key);
  for (const following of followings) following.restart(key);
}

/** Receives what happens in a session. */
export class Following {
  /** @type {MessagePort | null} */
  #port = null;
  #key = "";
  /** Fires if there is no response. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {{session: string, owner: string, server: string, credentials?: RequestCredentials, authorization: string}} followed
   * @param {{position: () => string, authorize: () => Promise<string>, fetch?: typeof fetch, isShared: boolean,
   *   receive: (message: import("./stream.js").Message) => void}} follower
   */
  constructor(followed, follower) {
    this.followed = followed;
    this.follower = follower;
    followings.add(this);
    this.#start();
  }

  /**
   * Begins again at its position.
   * @param {string} [key] where it has to be for that
   */
  restart(key = this.#key) {
    if (key !== this.#key) return;
    this.pause();
    this.follower.receive({ type: "waiting", pause: 0 });
    this.#start();
  }

  async #start() {
    const { port1: port, port2: other } = new MessageChannel();
    port.onmessage = ({ data }) => {
      if (port !== this.#port) return;
      this.#listen();
      if (data.type === "authorize") this.#authorize(port);
      else this.follower.receive(data);
    };
    this.#port = port;
    const { owner, server } = this.followed;
    const { key, place } = streams(JSON.stringify([server, owner]), this.follower);
    this.#key = key;
    const found = await place.catch(() => null);
    if (port !== this.#port) return;
    if (found !== null) {
      found.follow({ ...this.followed, position: this.follower.position() }, other);
      return this.#expect(loading);
    }
    // A module could not be loaded.
    if (places.get(key) === place) places.delete(key);
    this.#timer = setTimeout(() => this.restart(), restart);
  }

  /** The worker responds. Asks it again after a while. */
  #listen() {
    clearTimeout(this.#timer);
    if (this.#key !== "worker") return;
    isSilent = false;
    this.#timer = setTimeout(() => this.#ask("ping", loading), silence);
  }

  /**
   * Sends a message that a worker responds to.
   * @param {string} type
   * @param {number} time
   */
  #ask(type, time) {
    this.#expect(time);
    this.#port?.postMessage({ type });
  }

  /**
   * Replaces a worker that sends nothing in time.
   * @param {number} time in milliseconds
   */
  #expect(time) {
    const place = this.#key === "worker" && places.get("worker");
    clearTimeout(this.#timer);
    if (place) this.#timer = setTimeout(async () => replace("worker", await place, true), time);
  }

  /** @param {MessagePort} port */
  async #authorize(port) {
    const authorization = await this.follower.authorize().catch(() => "");
    this.followed.authorization = authorization;
    port.postMessage({ type: "renew", authorization });
  }

  /** Has the stream checked, because it has not reported a change, and replaces a worker that has ended. */
  doubt() {
    this.#ask("doubt", restart);
  }

  /** Has the stream not wait for its next attempt. */
  hurry() {
    this.#port?.postMessage({ type: "hurry" });
  }

  /**
   * Replaces the credential, for the next connection.
   * @param {string} authorization
   */
  renew(authorization) {
    this.followed.authorization = authorization;
    this.#port?.postMessage({ type: "renew", authorization });
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
globalThis.addEventListener?.("pagehide", () => followings.forEach((following) => following.pause()));
globalThis.addEventListener?.("pageshow", ({ persisted }) => {
  if (persisted) followings.forEach((following) => following.restart());
});

import { whenLate } from "./late.js";
import { StreamPlace } from "./place.js";
import { ConnectionError, Problem, contents, request } from "./problem.js";

/**
 * How a session fares:
 * - `connecting`: a session is being created, or its stream is being opened
 * - `live`: the stream is open and every request gets a response in time
 * - `waiting`: the stream was lost and is opened again, at `until` if that is known; or a request `isLate`
 * - `paused`: too many streams are open, so this one is not; inputs can still be sent
 * - `failed`: the session is over, and only a new one helps
 * @typedef {{
 *   name: "connecting" | "live" | "waiting" | "paused" | "failed", detail?: string, until?: number, isLate?: boolean,
 * }} Situation
 */

/**
 * One live instance of a machine on the server: sends inputs, follows outputs.
 *
 * It recovers by itself. After a lost connection it resumes where it was; when the server no longer knows the
 * session (it was restarted, or the session expired), it creates a new one and reports so.
 */
export class MachineSession {
  /** @type {EventSource | null} */
  #source = null;
  #place = new StreamPlace({
    granted: () => this.#connect(),
    refused: () => this.#pause(),
    lost: () => this.#pause(),
  });
  /** Called when the stream is open, or not awaited any more. */
  #settle = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #attempts = 0;
  /**
   * Replaced whenever the session starts or stops, so that what was begun before has no effect.
   * @type {symbol | null}
   */
  #life = null;
  /** @type {string | null} */
  #id = null;
  /** @type {string | null} */
  #lastEventID = null;
  /** The number of events that arrived on streams. */
  #received = 0;
  /** @type {Promise<unknown>} */
  #sending = Promise.resolve();
  /** @type {Situation} */
  #situation = { name: "connecting" };
  /** The number of requests that have waited for longer than a second. */
  #late = 0;

  /**
   * @param {string} machine the name under which the machine is registered
   * @param {{
   *   changed: (outputs: Record<string, unknown>, changes: Record<string, unknown>) => void,
   *   emitted?: (output: string, value: unknown) => void,
   *   renewed: (reason: string) => void,
   *   situation: (situation: Situation) => void,
   * }} view what shows the session; `renewed` is called before the outputs of a new session are shown in place of
   *   those of another one
   */
  constructor(machine, view) {
    this.machine = machine;
    this.view = view;
    /** The outputs as the server last sent them. @type {Record<string, unknown>} */
    this.outputs = {};
  }

  /** The session's id, or null while there is none. */
  get id() {
    return this.#id;
  }

  /**
   * Creates a session and follows it.
   * @param {string} [reason] why there is a new session, where there was one before
   */
  async open(reason = "") {
    const life = this.#begin();
    this.#id = null;
    this.#become({ name: "connecting" });
    try {
      const response = await this.#request("/v1/sessions", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ machine: this.machine }),
      });
      if (!response.ok) throw await Problem.from(response);
      const session = await contents(response);
      if (life !== this.#life) return void abandon(session.id);
      this.#id = session.id;
      this.#lastEventID = null;
      this.outputs = {};
      if (reason) this.view.renewed(reason);
      this.#take(session.outputs);
      this.#place.request();
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.open(reason));
    }
  }

  /**
   * Sends one input, after those that were sent before it. Resolves with the outputs that it changed.
   * @param {string} input
   * @param {unknown} [value] left out for an input without a value
   * @returns {Promise<Record<string, unknown>>}
   */
  send(input, value) {
    this.#place.use();
    const turn = this.#sending.then(() => this.#post(input, value));
    this.#sending = turn.catch(() => undefined);
    return this.#watch(turn);
  }

  /** Follows the session in place of the one that has not been used for the longest time. */
  follow() {
    this.#place.claim();
  }

  /** Stops following and does not come back. The session itself expires on the server. */
  close() {
    this.#begin();
    this.#life = null;
    this.#place.release();
  }

  /** Closes, and ends the session on the server. A session that cannot be ended now expires there. */
  async end() {
    this.close();
    if (this.#id !== null) await abandon(this.#id);
  }

  /**
   * @param {string} input
   * @param {unknown} value
   */
  async #post(input, value) {
    if (this.#id === null) throw new Error("There is no session yet.");
    const body = value === undefined ? {} : {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
    };
    const [id, source, received] = [this.#id, this.#source, this.#received];
    const path = `/v1/sessions/${id}/inputs/${encodeURIComponent(input)}`;
    const response = await request(path, { method: "POST", ...body });
    if (response.status === 404 || response.status === 410) {
      const problem = await Problem.from(response);
      const reason = await this.#whyEnded(id);
      if (reason === null) throw problem;
      if (this.#life !== null && this.#id === id) await this.open(reason);
      throw new Error("The input had no effect: its session had ended.");
    }
    if (!response.ok) throw await Problem.from(response);
    const { changes } = await contents(response);
    if (this.#id === id) this.#confirm(changes, source, received);
    return changes;
  }

  /**
   * Shows the result of an input where no stream does, and makes sure that an open stream reports it too.
   * @param {Record<string, unknown>} changes
   * @param {EventSource | null} source the stream that was open when the input was sent
   * @param {number} received the number of events that had arrived then
   */
  #confirm(changes, source, received) {
    if (this.#situation.name === "paused") return this.#apply(changes);
    if (source === null || source.readyState !== EventSource.OPEN || Object.keys(changes).length === 0) return;
    setTimeout(() => {
      // The server has shown the change to every stream of the session by now, so a stream without it is dead.
      if (this.#received === received) this.#lost(source);
    }, 1000);
  }

  /**
   * Why the server does not run the session any more; null if it does.
   * @param {string | null} id
   * @returns {Promise<string | null>}
   */
  async #whyEnded(id) {
    const response = await this.#request(`/v1/sessions/${id}`);
    if (response.status === 404) return "The server was restarted; this is a new session.";
    if (response.status === 410) return "The session had ended; this is a new session.";
    if (!response.ok) throw await Problem.from(response);
    return null;
  }

  /** Opens the stream; called whenever there is a place for it. */
  #connect() {
    if (this.#life === null || this.#id === null) return;
    this.#stopFollowing();
    this.#become({ name: "connecting" });
    const position = this.#lastEventID === null ? "" : `?lastEventID=${encodeURIComponent(this.#lastEventID)}`;
    const source = new EventSource(`/v1/sessions/${this.#id}/outputs${position}`);
    this.#source = source;
    this.#watch(new Promise((resolve) => (this.#settle = resolve)));
    source.addEventListener("open", () => {
      this.#settle();
      this.#become({ name: "live" });
    });
    for (const name of ["snapshot", "change", "resume"]) {
      source.addEventListener(name, (event) => this.#receive(name, event));
    }
    source.addEventListener("end", (event) => this.#end(source, JSON.parse(event.data).reason));
    source.addEventListener("error", () => this.#lost(source));
  }

  /** There is no place for the stream. */
  #pause() {
    this.#stopFollowing();
    // Responses show what inputs change while no stream does, so the next stream must start with a snapshot.
    this.#lastEventID = null;
    if (this.#life !== null) this.#become({ name: "paused" });
  }

  /**
   * @param {string} name
   * @param {MessageEvent<string>} event
   */
  #receive(name, event) {
    this.#attempts = 0;
    this.#received += 1;
    if (event.lastEventId) this.#lastEventID = event.lastEventId;
    if (name === "resume") return;
    if (name === "snapshot") this.outputs = {};
    this.#apply(JSON.parse(event.data));
  }

  /** @param {Record<string, unknown>} changes with the events that were emitted */
  #apply({ $emitted: emitted = [], ...changes }) {
    this.#take(changes);
    for (const { output, value } of emitted) this.view.emitted?.(output, value);
  }

  /** @param {Record<string, unknown>} changes */
  #take(changes) {
    Object.assign(this.outputs, changes);
    this.view.changed(this.outputs, changes);
  }

  /**
   * @param {EventSource} source
   * @param {string} reason
   */
  #end(source, reason) {
    if (source !== this.#source) return;
    switch (reason) {
      case "draining":
      case "rotated":
      case "busy":
        // Many clients get the same event, and must not all come back at the same time.
        return this.#tryAgain(null, () => this.#comeBack(), 2000);
      case "deleted": return void this.open("The session was deleted; this is a new session.");
      case "expired": return void this.open("The session had expired; this is a new session.");
      default: this.#fail(`The session has ended: ${reason}.`);
    }
  }

  /**
   * The stream was lost: the connection broke, or the server responded with another status than 200.
   * @param {EventSource} source
   */
  #lost(source) {
    if (source === this.#source) this.#tryAgain(null, () => this.#comeBack());
  }

  /** Follows the session again if the server still knows it, otherwise creates a new one. */
  async #comeBack() {
    const life = this.#life;
    this.#become({ name: "waiting" });
    try {
      const reason = await this.#whyEnded(this.#id);
      if (life !== this.#life) return;
      if (reason !== null) return await this.open(reason);
      this.#place.request();
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.#comeBack());
    }
  }

  /**
   * Tries again after a pause that doubles up to 15 s, with a random part so that clients do not all come back at the
   * same time.
   * @param {unknown} error
   * @param {() => unknown} action
   * @param {number} [least] the shortest pause, in milliseconds
   */
  #tryAgain(error, action, least = 0) {
    this.#stopFollowing();
    if (error instanceof Problem && error.isLasting) return this.#fail(error.message);
    if (error !== null && !(error instanceof Problem || error instanceof ConnectionError)) console.error(error);
    const wished = Math.max(least, error instanceof Problem ? error.retryAfter : 0);
    const pause = wished + Math.min(15_000, 500 * 2 ** this.#attempts) * (0.5 + Math.random() / 2);
    this.#attempts = Math.min(this.#attempts + 1, 8);
    const detail = error instanceof Problem ? error.message : "";
    this.#become({ name: "waiting", detail, until: Date.now() + pause });
    this.#timer = setTimeout(action, pause);
  }

  /** @param {string} detail */
  #fail(detail) {
    this.close();
    this.#become({ name: "failed", detail });
  }

  /** @param {Situation} situation */
  #become(situation) {
    this.#situation = situation;
    this.#show();
  }

  #show() {
    this.view.situation({ ...this.#situation, isLate: this.#late > 0 });
  }

  /**
   * @param {string} path
   * @param {RequestInit} [options]
   */
  #request(path, options) {
    return this.#watch(request(path, options));
  }

  /**
   * Shows it when a request waits.
   * @template Value
   * @param {Promise<Value>} promise
   */
  #watch(promise) {
    const count = (change) => {
      this.#late += change;
      this.#show();
    };
    return whenLate(promise, { begin: () => count(1), end: () => count(-1) });
  }

  /** Stops what the session does, so that it can start anew. */
  #begin() {
    this.#stopFollowing();
    this.#life = Symbol();
    return this.#life;
  }

  #stopFollowing() {
    clearTimeout(this.#timer);
    this.#settle();
    this.#source?.close();
    this.#source = null;
  }
}

/**
 * Ends a session that nobody follows any more.
 * @param {string} id
 */
async function abandon(id) {
  await request(`/v1/sessions/${id}`, { method: "DELETE" }).catch(() => undefined);
}

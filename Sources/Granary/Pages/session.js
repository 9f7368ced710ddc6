import { whenLate } from "./late.js";
import { forget, recall, remember } from "./memory.js";
import { StreamPlace } from "./place.js";
import { ConnectionError, Problem, contents, request } from "./problem.js";

/**
 * The state of a session:
 * - `connecting`: the session is being created, or its stream is being opened
 * - `live`: the stream is open, and requests get responses in time
 * - `waiting`: the stream was lost and is opened again, at `until` if that is known
 * - `paused`: there is no place for the stream because too many are open; inputs can still be sent
 * - `failed`: the session has ended and cannot be resumed
  *
 * `isLate` states that a request has been pending for more than a second.
 * @typedef {{
 *   name: "connecting" | "live" | "waiting" | "paused" | "failed", detail?: string, until?: number, isLate?: boolean,
 * }} Situation
 */

/**
 * A client of one session: sends inputs and follows outputs.
 *
 * It recovers from errors. After a lost connection, it resumes the stream at its last position. If the server no longer
 * knows the session because it was restarted or the session expired, it creates a new session and reports the reason.
 */
export class MachineSession {
  /** @type {EventSource | null} */
  #source = null;
  #place = new StreamPlace({
    granted: () => this.#connect(),
    refused: () => this.#pause(),
    lost: () => this.#pause(),
  });
  /** Resolves the promise that observes whether the stream opens in time. */
  #settle = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #attempts = 0;
  /**
   * Replaced whenever the session starts or stops, so that operations that are still pending have no effect.
   * @type {symbol | null}
   */
  #life = null;
  /** @type {string | null} */
  #id = null;
  /** @type {string | null} */
  #lastEventID = null;
  /** The number of received stream events. */
  #received = 0;
  /** @type {Promise<unknown>} */
  #sending = Promise.resolve();
  /** @type {Situation} */
  #situation = { name: "connecting" };
  /** The number of requests that have been pending for more than a second. */
  #late = 0;

  /**
   * @param {string} machine the name under which the machine is registered
   * @param {{
   *   changed: (outputs: Record<string, unknown>, changes: Record<string, unknown>) => void,
   *   emitted?: (output: string, value: unknown) => void,
   *   renewed: (reason: string) => void,
   *   situation: (situation: Situation) => void,
   * }} view the view of the session; `renewed` is called before the outputs of a new session
   *   replace those of the previous one
   * @param {string | null} [name] the name under which the tab remembers the session, so that it continues after a reload;
   *   omitted for a session that ends with the page
   */
  constructor(machine, view, name = null) {
    this.machine = machine;
    this.view = view;
    this.name = name;
    /** The current outputs. @type {Record<string, unknown>} */
    this.outputs = {};
  }

  /** The id of the session, or null if there is none. */
  get id() {
    return this.#id;
  }

  /** Continues the session that the tab remembers, if the server still has it. Otherwise creates one. */
  async start() {
    const id = recall(this.name);
    if (id === null) return this.open();
    const life = this.#begin();
    this.#become({ name: "connecting" });
    try {
      const response = await this.#request(`/v1/sessions/${id}`);
      const reason = whyEnded(response);
      if (!response.ok && reason === null) throw await Problem.from(response);
      const session = response.ok ? await contents(response) : null;
      if (life !== this.#life) return;
      // Another program at the same address may have had a session of this name.
      if (session?.machine !== this.machine) return await this.open(reason ?? "");
      this.#follow(session);
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.start());
    }
  }

  /**
   * Creates a session and follows it.
   * @param {string} [reason] the reason for replacing a previous session, if there was one
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
      if (reason) this.view.renewed(reason);
      this.#follow(session);
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.open(reason));
    }
  }

  /**
   * Sends an input after all previous inputs. Resolves with the changed outputs.
   * @param {string} input
   * @param {unknown} [value] omitted for inputs without a value
   * @returns {Promise<Record<string, unknown>>}
   */
  send(input, value) {
    this.#place.use();
    const turn = this.#sending.then(() => this.#post(input, value));
    this.#sending = turn.catch(() => undefined);
    return this.#watch(turn);
  }

  /** Follows the session instead of the least recently used one. */
  follow() {
    this.#place.claim();
  }

  /** Stops following permanently. The session expires on the server. */
  close() {
    this.#begin();
    this.#life = null;
    this.#place.release();
  }

  /** Stops following and deletes the session. If that fails, the session expires on the server. */
  async end() {
    this.close();
    forget(this.name);
    if (this.#id !== null) await abandon(this.#id);
  }

  /**
   * @param {string} input
   * @param {unknown} value
   */
  async #post(input, value) {
    if (this.#id === null) throw new Error("The session has not been created yet.");
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
      throw new Error("The input had no effect because its session had ended.");
    }
    if (!response.ok) throw await Problem.from(response);
    const { changes } = await contents(response);
    if (this.#id === id) this.#confirm(changes, source, received);
    return changes;
  }

  /**
   * Shows the changes of an input if there is no stream, and checks that an open stream reports them.
   * @param {Record<string, unknown>} changes
   * @param {EventSource | null} source the stream that was open when the input was sent
   * @param {number} received the number of events that had been received then
   */
  #confirm(changes, source, received) {
    if (this.#situation.name === "paused") return this.#apply(changes);
    if (source === null || source.readyState !== EventSource.OPEN || Object.keys(changes).length === 0) return;
    setTimeout(() => {
      // By now the server has sent the change to all streams of the session. A stream that has not received it is dead.
      if (this.#received === received) this.#lost(source);
    }, 1000);
  }

  /**
   * Returns the reason why the session has ended, or null if it has not.
   * @param {string | null} id
   * @returns {Promise<string | null>}
   */
  async #whyEnded(id) {
    const response = await this.#request(`/v1/sessions/${id}`);
    const reason = whyEnded(response);
    if (reason === null && !response.ok) throw await Problem.from(response);
    return reason;
  }

  /**
   * Shows a session and follows it.
   * @param {{id: string, outputs: Record<string, unknown>}} session
   */
  #follow(session) {
    this.#id = session.id;
    remember(this.name, session.id);
    this.#lastEventID = null;
    this.outputs = {};
    this.#take(session.outputs);
    this.#place.request();
  }

  /** Opens the stream. Called whenever there is a place for it. */
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

  /** Closes the stream because there is no place for it. */
  #pause() {
    this.#stopFollowing();
    // Without a stream, the page applies the changes in responses to inputs. They would be applied again if the next
    // stream resumed at the old position, so it must start with a snapshot.
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

  /** @param {Record<string, unknown>} changes the changed outputs and the emitted events */
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
        // All clients receive this event at the same time, and must not reconnect at the same time.
        return this.#tryAgain(null, () => this.#comeBack(), 2000);
      case "deleted": return void this.open("The session was deleted; this is a new session.");
      case "expired": return void this.open("The session had expired; this is a new session.");
      default: this.#fail(`The session has ended: ${reason}.`);
    }
  }

  /**
   * Handles a lost stream: the connection failed, or the server responded with a status other than 200.
   * @param {EventSource} source
   */
  #lost(source) {
    if (source === this.#source) this.#tryAgain(null, () => this.#comeBack());
  }

  /** Follows the session again if it exists, otherwise creates a new one. */
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
   * Retries an action after a delay that doubles up to 15 s. The delay is partly random so that clients do not all
   * retry at the same time.
   * @param {unknown} error
   * @param {() => unknown} action
   * @param {number} [least] the shortest delay, in milliseconds
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
   * Shows that a request is pending if it takes longer than a second.
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

  /** Cancels all operations of the session so that it can start again. */
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
 * Returns why there is no session, or null if the response does not say that.
 * @param {Response} response
 * @returns {string | null}
 */
function whyEnded({ status }) {
  if (status === 404) return "The server was restarted; this is a new session.";
  return status === 410 ? "The session had ended; this is a new session." : null;
}

/**
 * Deletes a session that is no longer used.
 * @param {string} id
 */
async function abandon(id) {
  await request(`/v1/sessions/${id}`, { method: "DELETE" }).catch(() => undefined);
}

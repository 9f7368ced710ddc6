import { pause } from "./backoff.js";
import { confirm, create, miss } from "./creation.js";
import { forget, recall, remember } from "./memory.js";
import { ConnectionError, Problem, contents, request } from "./problem.js";
import { SituationReport } from "./situation.js";
import { Following } from "./streams.js";
import { Ticket, invite } from "./ticket.js";

const missing = "The server no longer has the session";

/**
 * A client of one session: sends inputs and follows outputs.
 *
 * It recovers from errors. If the server no longer knows the session because it was restarted or the session expired, it
 * creates a new session and reports the reason.
 */
export class MachineSession {
  /** @type {Following | null} */
  #following = null;
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
  /** The credential for the session of somebody else. @type {Ticket | null} */
  #ticket = null;
  /**
   * The attempt with which the session was created, until an event shows that it exists for this browser.
   * @type {number | null}
   */
  #attempt = null;
  /** The number of received stream events. */
  #received = 0;
  /** @type {Promise<unknown>} */
  #sending = Promise.resolve();
  /** @type {SituationReport} */
  #situation;

  /**
   * @param {string} machine the name under which the machine is registered
   * @param {{
   *   changed: (outputs: Record<string, unknown>, changes: Record<string, unknown>) => void,
   *   emitted?: (output: string, value: unknown) => void,
   *   renewed: (reason: string) => void,
   *   situation: (situation: import("./situation.js").Situation) => void,
   * }} view the view of the session; `renewed` is called before the outputs of a new session
   *   replace those of the previous one
   * @param {string | null} [name] the name of the session, with which a reloaded page and other tabs of the browser find
   *   it; omitted for a session that ends with the page
   */
  constructor(machine, view, name = null) {
    this.machine = machine;
    this.view = view;
    this.name = name;
    this.#situation = new SituationReport(view.situation);
    /** The current outputs. @type {Record<string, unknown>} */
    this.outputs = {};
  }

  /** Whether the session belongs to somebody else. */
  get isGuest() {
    return this.#ticket !== null;
  }

  /** Continues the session that the tab remembers, if the server still has it. Otherwise creates or finds one. */
  async start() {
    const id = this.#recall("session");
    const ticket = this.#recall("ticket");
    if (id === null) return this.open();
    if (ticket !== null) return this.join(id, ticket);
    const life = this.#begin();
    this.#situation.become({ name: "connecting" });
    try {
      const { session, reason } = await this.#read(id);
      if (life !== this.#life) return;
      // Another program at the same address may have had a session of this name.
      if (session?.machine !== this.machine) return await this.open(reason);
      this.#follow(session);
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.start());
    }
  }

  /**
   * Creates a session, or finds the one with the name, and follows it.
   * @param {string} [reason] the reason for replacing a previous session, if there was one
   */
  async open(reason = "") {
    const life = this.#begin();
    this.#leave();
    this.#situation.become({ name: "connecting" });
    try {
      const session = await this.#situation.watch(create(this.machine, this.name));
      if (life !== this.#life) return this.name === null ? await abandon(session.id) : undefined;
      this.#attempt = session.attempt;
      if (reason) this.view.renewed(reason);
      this.#follow(session);
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.open(reason));
    }
  }

  /**
   * Follows a session that somebody else has shared.
   * @param {string} id
   * @param {string} text the ticket
   */
  async join(id, text) {
    const life = this.#begin();
    this.#leave();
    const ticket = new Ticket(id, text, (renewed) => this.#keep(ticket, renewed));
    this.#ticket = ticket;
    this.#situation.become({ name: "connecting" });
    try {
      await this.#situation.watch(ticket.redeem());
      if (life !== this.#life) return;
      const { session, reason } = await this.#read(id);
      if (life !== this.#life) return;
      session === null ? this.#fail(reason) : this.#follow(session);
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.join(id, ticket.text));
    }
  }

  /**
   * Sends an input after all previous inputs. Resolves with the changed outputs.
   * @param {string} input
   * @param {unknown} [value] omitted for inputs without a value
   * @returns {Promise<Record<string, unknown>>}
   */
  send(input, value) {
    const turn = this.#sending.then(() => this.#post(input, value));
    this.#sending = turn.catch(() => undefined);
    return this.#situation.watch(turn);
  }

  /**
   * Requests a ticket with which another browser takes part in the session.
   * @returns {Promise<{machine: string, session: string, ticket: string}>}
   */
  async invite() {
    if (this.#id === null) throw new Error("The session has not been created yet.");
    const session = this.#id;
    return { machine: this.machine, session, ticket: await this.#situation.watch(invite(session, this.#fields)) };
  }

  /** Stops following permanently. The session expires on the server. */
  close() {
    this.#begin();
    this.#life = null;
    this.#ticket?.stop();
  }

  /** Stops following and deletes the session. If that fails, the session expires on the server. */
  async end() {
    this.close();
    const id = this.#id;
    this.#leave();
    if (id !== null) await abandon(id);
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
    const [id, following, received] = [this.#id, this.#following, this.#received];
    const path = `/v1/sessions/${id}/inputs/${encodeURIComponent(input)}`;
    const response = await this.#request(path, { method: "POST", ...body });
    if (response.status === 404 || response.status === 410) {
      const problem = await Problem.from(response);
      const { session, reason } = await this.#read(id);
      if (session !== null) throw problem;
      if (this.#life !== null && this.#id === id) await this.#replace(reason);
      throw new Error("The input had no effect because its session had ended.");
    }
    if (!response.ok) throw await Problem.from(response);
    const { changes } = await contents(response);
    if (Object.keys(changes).length > 0) this.#check(following, received);
    return changes;
  }

  /**
   * Checks that a live stream reports a change.
   * @param {Following | null} following the stream that was followed when the input was sent
   * @param {number} received the number of events that had been received then
   */
  #check(following, received) {
    if (following === null || this.#situation.name !== "live") return;
    setTimeout(() => {
      // By now the server has sent the change to all streams of the session. A stream that has not received it is dead.
      if (this.#following === following && this.#received === received) following.doubt();
    }, 1000);
  }

  /**
   * Returns a session or, if it does not exist, the reason.
   * @param {string} id
   * @returns {Promise<{session: {id: string, machine: string, outputs: Record<string, unknown>} | null, reason: string}>}
   */
  async #read(id) {
    const response = await this.#situation.watch(this.#request(`/v1/sessions/${id}`));
    if (response.status === 404) return { session: null, reason: this.#news(missing) };
    if (response.status === 410) return { session: null, reason: this.#news("The session had ended") };
    if (!response.ok) throw await Problem.from(response);
    return { session: await contents(response), reason: "" };
  }

  /**
   * Shows a session and follows it.
   * @param {{id: string, outputs: Record<string, unknown>}} session
   */
  #follow(session) {
    this.#id = session.id;
    if (this.name !== null) remember(this.#key("session"), session.id);
    this.outputs = {};
    this.#take(session.outputs);
    this.#following = new Following(session.id, this.#ticket?.text ?? "", (message) => this.#receive(message));
  }

  /** @param {import("./stream.js").Message} message */
  #receive(message) {
    switch (message.type) {
      case "opening":
        this.#settle();
        this.#situation.watch(new Promise((resolve) => (this.#settle = resolve)));
        // The stream also connects again to add a session of another card or tab, which changes nothing here.
        if (this.#situation.name !== "live") this.#situation.become({ name: "connecting" });
        return;
      case "waiting":
        this.#settle();
        return this.#situation.become({ name: "waiting", until: Date.now() + message.pause });
      case "event":
        this.#settle();
        this.#show(message.name, JSON.parse(message.data));
        if (this.#situation.name !== "live") this.#situation.become({ name: "live" });
        return;
      case "end": return this.#end(message.reason);
    }
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} data the changed outputs and the emitted events
   */
  #show(name, { $emitted: emitted = [], ...changes }) {
    this.#attempts = 0;
    this.#received += 1;
    this.#attempt = null;
    confirm();
    if (name === "resume") return;
    if (name === "snapshot") this.outputs = {};
    this.#take(changes);
    for (const { output, value } of emitted) this.view.emitted?.(output, value);
  }

  /** @param {Record<string, unknown>} changes */
  #take(changes) {
    Object.assign(this.outputs, changes);
    this.view.changed(this.outputs, changes);
  }

  /** @param {string} reason */
  #end(reason) {
    switch (reason) {
      case "deleted": return void this.#replace(this.#news("The session was deleted"));
      case "expired": return void this.#replace(this.#news("The session had expired"));
      case "unknown":
        if (this.#attempt !== null) miss(this.#attempt);
        return void this.#replace(this.#news(missing));
      // The server refuses the stream, which does not show why.
      case "refused":
      case "unauthorized":
      case "busy": return this.#tryAgain(null, () => this.#comeBack());
      default: this.#fail(`The session has ended: ${reason}.`);
    }
  }

  /** Follows the session again if it exists, otherwise creates a new one. */
  async #comeBack() {
    const life = this.#life;
    this.#situation.become({ name: "waiting" });
    try {
      const { session, reason } = await this.#read(this.#id ?? "");
      if (life !== this.#life) return;
      session === null ? await this.#replace(reason) : this.#follow(session);
    } catch (error) {
      if (life === this.#life) this.#tryAgain(error, () => this.#comeBack());
    }
  }

  /**
   * Begins a new session after the end of the previous one, unless it belonged to somebody else.
   * @param {string} reason
   */
  async #replace(reason) {
    this.isGuest ? this.#fail(reason) : await this.open(reason);
  }

  /**
   * Retries an action after a pause.
   * @param {unknown} error
   * @param {() => unknown} action
   */
  #tryAgain(error, action) {
    this.#stopFollowing();
    if (error instanceof Problem && error.isLasting) return this.#fail(error.message);
    if (error !== null && !(error instanceof Problem || error instanceof ConnectionError)) console.error(error);
    const time = (error instanceof Problem ? error.retryAfter : 0) + pause(this.#attempts, Math.random());
    this.#attempts = Math.min(this.#attempts + 1, 8);
    const detail = error instanceof Problem ? error.message : "";
    this.#situation.become({ name: "waiting", detail, until: Date.now() + time });
    this.#timer = setTimeout(action, time);
  }

  /** @param {string} detail */
  #fail(detail) {
    this.close();
    this.#situation.become({ name: "failed", detail });
  }

  /** The fields of requests for the session. */
  get #fields() {
    return this.#ticket?.fields ?? {};
  }

  /**
   * @param {string} path
   * @param {RequestInit} [options]
   */
  #request(path, { headers, ...options } = {}) {
    return request(path, { ...options, headers: { ...headers, ...this.#fields } });
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
    this.#following?.stop();
    this.#following = null;
  }

  /** Forgets the session. */
  #leave() {
    this.#id = null;
    this.#ticket?.stop();
    this.#ticket = null;
    forget(this.#key("session"));
    forget(this.#key("ticket"));
  }

  /**
   * Keeps a ticket that has replaced another one.
   * @param {Ticket} ticket
   * @param {string} text
   */
  #keep(ticket, text) {
    if (ticket !== this.#ticket) return ticket.stop();
    this.#following?.renew(text);
    if (this.name === null) return;
    remember(this.#key("session"), ticket.session);
    remember(this.#key("ticket"), text);
  }

  /** @param {string} what */
  #key(what) {
    return `${what}-${this.machine}-${this.name}`;
  }

  /** @param {string} what */
  #recall(what) {
    return this.name === null ? null : recall(this.#key(what));
  }

  /**
   * Returns the news of the end of the session.
   * @param {string} event
   */
  #news(event) {
    return this.isGuest ? `${event}.` : `${event}; this is a new session.`;
  }
}

/**
 * Deletes a session that is no longer used.
 * @param {string} id
 */
async function abandon(id) {
  await request(`/v1/sessions/${id}`, { method: "DELETE" }).catch(() => undefined);
}

import { now, patience, pause, since } from "./backoff.js";
import { confirm, create, miss } from "./creation.js";
import { Emitter } from "./emitter.js";
import { Following } from "./following.js";
import { recall, remember } from "./memory.js";
import { Outbox, randomKey } from "./outbox.js";
import { GranaryError, Requests, description, isForeign, kind, refusal, unreachable } from "./request.js";
import { Situation } from "./situation.js";
import { Values, isEmpty, split } from "./values.js";

/** The time in milliseconds that a stream has to report a change that the client knows of. */
const reporting = 1000;

/** The time in milliseconds after which a session has lasted, so that another failure is the first one again. */
const lasting = 10_000;

/** The number of creations that may find that the first one with their key still runs. */
const mostConflicts = 5;

/** The sessions of this page. @type {Set<Machine>} */
const machines = new Set();

globalThis.addEventListener?.("online", () => machines.forEach((machine) => machine.reconnect()));
globalThis.addEventListener?.("offline", () => machines.forEach((machine) => machine.doubt()));

/**
 * A session of a machine: sends inputs and follows outputs. It recovers from errors. If the session has ended, it begins a
 * new one and reports that as `new-session`. See README.md.
 */
export class Machine extends Emitter {
  #options;
  /** What sends requests for the sessions of the client itself, and for the current one. */
  #own;
  #requests;
  #outbox;
  #values = new Values((...change) => this.emit("change", ...change), (emitted) => this.emit("event", emitted));
  #situation = new Situation((status) => this.emit("status", status));
  /** @type {Following | null} */
  #following = null;
  /** Replaced whenever the session starts or stops, so that operations that are still pending have no effect. @type {symbol | null} */
  #life = Symbol();
  /** @type {string | null} */
  #id = null;
  /** The credential for the session of somebody else. @type {import("./ticket.js").Ticket | null} */
  #ticket = null;
  /** The attempt with which the session was created, until an event shows that it exists for this browser. @type {number | undefined} */
  #creation;
  /** Whether the last attempt to follow the session has failed. */
  #isLost = false;
  /** The version that the stream has reached. */
  #streamed = -1;
  /** The number of failures since a session has lasted. */
  #failures = 0;
  /** When the session became live; null if it has not since the last failure. @type {number[] | null} */
  #live = null;
  /** The time that was waited since the last event. */
  #waited = 0;
  #settle = () => {};
  #wake = () => {};
  #stopRenewing = () => {};
  /** What tells the principal apart in the memory of the tab; null until it is known. @type {string | null} */
  #scope = null;

  /**
   * @param {string} machine the name under which the machine is registered
   * @param {any} [options] README.md describes them
   */
  constructor(machine, options = {}) {
    super();
    const { queue = 100, retention = 600_000, server = "", timeout = 30_000, session, ticket } = options;
    this.machine = machine;
    this.#options = options;
    this.#own = this.#requests = new Requests({ ...options, server: server.replace(/\/$/, ""), timeout: Math.min(timeout, 2 ** 31 - 1) });
    this.#outbox = new Outbox({
      retention, limit: queue,
      post: (entry) => this.#post(entry),
      ended: (reply) => this.#explain(reply),
      settle: (...change) => this.#values.settle(...change),
      isOpen: () => this.#following !== null,
      canRenew: () => this.#requests.isRenewable,
    });
    /** Resolves when the session has its first outputs. @type {Promise<Machine>} */
    this.ready = new Promise((resolve, reject) => {
      this.ended = reject;
      this.began = () => resolve(this);
    });
    this.ready.catch(() => undefined);
    if (session === undefined) this.#start();
    else if (ticket === undefined) this.#continue(session);
    else this.join(session, ticket);
  }

  /** The current outputs, with optimistic changes. */
  get outputs() {
    return this.#values.outputs;
  }

  /** The version of the session that the outputs have. */
  get version() {
    return this.#values.version;
  }

  /** The id of the session; null until it is known. */
  get id() {
    return this.#id;
  }

  get status() {
    return this.#situation.current;
  }

  /** Whether the session belongs to somebody else. */
  get isGuest() {
    return this.#ticket !== null;
  }

  get isEnded() {
    return this.#life === null;
  }

  /**
   * Sends an input after all previous ones. It runs once, also if the request has to be repeated. Resolves with the outputs that it
   * has changed.
   * @param {string} input
   * @param {unknown} [value] omitted for inputs without a value
   * @param {{optimistic?: Record<string, unknown>, answered?: (response: {version: number, changes: Record<string, unknown> | null}) => void}} [options]
   *   `optimistic` has values that are shown until there is a response, or functions of the current ones; `answered` is called with the
   *   response, which may be ahead of the stream
   */
  async send(input, value, { optimistic, answered } = {}) {
    const { limit } = this.#outbox.session;
    this.#check();
    if (limit === 0 && (this.#id === null || this.#isLost)) throw new GranaryError("unreachable", "The server cannot be reached.");
    if (limit > 0 && this.#outbox.length >= limit) {
      throw new GranaryError("full", `Expected at most ${limit} inputs without a response.`);
    }
    const body = value === undefined ? undefined : JSON.stringify(value);
    const overlay = optimistic && this.#values.predict(optimistic);
    // A listener may have closed the client.
    this.#check();
    const sent = this.#outbox.add(input, body, overlay);
    const { version, changes } = await this.#situation.watch(sent);
    try {
      answered?.({ version, changes });
    } catch (error) {
      // Like that of a listener: the input has run.
      console.error(error);
    }
    // Without the changes, which are too large to be repeated, it is unknown whether this client sees any.
    const read = changes === null && await this.#read(this.#id ?? "").catch(() => null);
    if (!isEmpty(changes)) await this.#expect(version, read ? read.session?.outputs : undefined);
    if (changes === null && this.version < version) this.#values.settle(overlay);
    const { $emitted, ...outputs } = changes ?? {};
    return outputs;
  }

  /**
   * Follows a session that somebody else has shared.
   * @param {string} id
   * @param {string} text the ticket
   */
  join(id, text) {
    this.#begin();
    this.#leave();
    this.#outbox.clear("ended", "The input had no effect because the client has joined another session.");
    return this.#join(id, text);
  }

  #join(id, text) {
    const requests = new Requests({ ...this.#own, token: undefined });
    requests.use(`Ticket ${text}`);
    this.#requests = requests;
    // A page that is reloaded before the response repeats the redemption.
    const key = recall(`key ${text}`) ?? randomKey();
    remember(`key ${text}`, key);
    return this.#attempt(async (isCurrent) => {
      this.#keep(id, text);
      const { Ticket } = await import("./ticket.js");
      if (!isCurrent()) return;
      this.#ticket?.stop();
      const ticket = this.#ticket = new Ticket(requests, id, (renewed) => this.#keep(id, renewed));
      await this.#situation.watch(ticket.redeem(key)).catch((error) => {
        if (isCurrent() && error.isLasting) this.#leave();
        if (error.isLasting) remember(`key ${text}`, null);
        throw error;
      });
      remember(`key ${text}`, null);
      if (isCurrent()) await this.#resume(id, isCurrent);
      else ticket.stop();
    });
  }

  /**
   * Requests a ticket with which somebody else takes part in the session.
   * @param {object} [terms] other terms than: to read and write, once within a day, renewable for an hour at a time
   */
  async invite(terms) {
    // After a restart, that of the first session says nothing.
    if (this.#id === null) await this.ready;
    const { invite } = await import("./ticket.js");
    const session = /** @type {string} */ (this.#id);
    return { machine: this.machine, session, ticket: await this.#situation.watch(invite(this.#requests, session, terms)) };
  }

  /** Begins a new session in place of the current one. */
  restart() {
    return this.#open("requested");
  }

  /** Tries to reach the server without a further pause. */
  reconnect() {
    this.#wake();
    this.#following?.hurry();
    this.#outbox.run();
  }

  /** Has the stream checked, because it may have broken unnoticed. */
  doubt() {
    this.#following?.doubt();
  }

  /** Stops following permanently. The session expires on the server. */
  close() {
    if (!this.isEnded) this.#end("closed", "The client was closed.");
  }

  /** Stops following and deletes the session. If that fails, the session expires on the server. */
  async end() {
    const id = this.#id;
    this.close();
    this.#leave();
    if (id !== null) await this.#abandon(id);
  }

  #check() {
    if (this.isEnded) throw new GranaryError("ended", "The session has ended.");
  }

  /** Continues the session that the tab remembers, if the server still has it. Otherwise creates or finds one. */
  #start() {
    if (this.#options.name === undefined) return this.#open();
    return this.#attempt(() => {
      const [id, ticket] = recall(this.#key)?.split(" ") ?? [];
      if (!id) return this.#open();
      return ticket ? this.#join(id, ticket) : this.#continue(id);
    });
  }

  /**
   * Follows a session, or begins a new one if it does not exist.
   * @param {string} id
   * @param {"connecting" | "offline"} [status] what is shown meanwhile
   * @param {number} [delay]
   */
  #continue(id, status, delay) {
    return this.#attempt((isCurrent) => this.#resume(id, isCurrent), status, delay);
  }

  async #resume(id, isCurrent) {
    const { session, reason } = await this.#read(id);
    if (!isCurrent()) return;
    // Another program at the same address may have had a session of this name.
    if (session !== null && session.machine === this.machine) await this.#follow(session, isCurrent);
    else await this.#replace(reason);
  }

  /** @param {string} [reason] why it replaces a session */
  #open(reason) {
    const { machine } = this;
    const { name, parameters } = this.#options;
    let [key, conflicts] = [randomKey(), 0];
    this.#leave();
    const failures = reason === "requested" ? 0 : this.#fail();
    // A server that loses each new session is not asked for another one immediately.
    const delay = failures > 2 ? pause(failures) : 0;
    return this.#attempt(async (isCurrent) => {
      // The session of a creation that still runs is the one that is wanted, unless that creation never ends.
      if (conflicts === mostConflicts) [key, conflicts] = [randomKey(), 0];
      const session = await this.#situation.watch(create(this.#own, { machine, name, parameters }, key)).catch((error) => {
        if (kind(error.problem) === "idempotency-conflict") conflicts += 1;
        throw error;
      });
      if (!isCurrent()) return name === undefined ? this.#abandon(session.id) : undefined;
      this.#creation = session.attempt;
      if (reason) {
        this.emit("new-session", { reason, session: session.id });
        this.#outbox.clear("ended", "The input had no effect because its session had ended.");
      }
      if (isCurrent()) await this.#follow(session, isCurrent);
    }, "connecting", delay);
  }

  /**
   * Begins a new session after the end of the previous one, unless that is not for the client to decide.
   * @param {string} reason
   */
  #replace(reason) {
    const { renew = true, session, ticket } = this.#options;
    const isOwn = !this.isGuest && (session === undefined || ticket !== undefined);
    const mayReplace = renew && isOwn && reason !== "failed";
    return mayReplace ? this.#open(reason) : this.#end(reason, "The session has ended.");
  }

  /**
   * Returns a session or, if it does not exist, the reason.
   * @param {string} id
   * @returns {Promise<{session: any, reason: string}>}
   */
  async #read(id) {
    const reply = await this.#situation.watch(this.#requests.send(`/v1/sessions/${id}`));
    const { status, body } = reply;
    const isMissing = (status === 404 || status === 410) && !isForeign(status, body);
    if (isMissing) return { session: null, reason: body.reason ?? "unknown" };
    if (status !== 200 || typeof body?.id !== "string") throw refusal(reply);
    return { session: description(reply), reason: "other" };
  }

  /** Shows a session and follows it. */
  async #follow(session, isCurrent) {
    const { principal, token, shared = typeof document !== "undefined", fetch } = this.#options;
    const requests = this.#requests;
    const authorization = await requests.authorization().catch(() => "");
    const tokens = token === undefined || this.isGuest ? null : await import("./token.js");
    if (!isCurrent()) return;
    const isNew = session.id !== this.#id;
    this.#id = session.id;
    this.#isLost = false;
    if (!this.isGuest) this.#keep(session.id);
    if (isNew) {
      this.#streamed = -1;
      this.#values.begin(session.outputs, session.version, session.epoch);
    }
    if (!isCurrent()) return;
    const owner = this.isGuest ? session.id : principal ?? tokens?.subject(authorization) ?? "";
    const { server, credentials } = requests;
    this.#following = new Following({ session: session.id, owner, server, credentials, authorization }, {
      fetch, isShared: shared, position: () => this.#values.position, receive: (message) => this.#receive(message),
      authorize: () => requests.authorization(this.#following?.followed.authorization),
    });
    if (tokens !== null && requests.isRenewable) {
      this.#stopRenewing = tokens.keepRenewed(
        requests, `/v1/sessions/${session.id}`, authorization, (renewed) => this.#following?.renew(renewed));
    }
    machines.add(this);
    this.began();
    this.#outbox.run();
    this.#expect(session.version);
  }

  /** @param {import("./stream.js").Message} message */
  #receive(message) {
    switch (message.type) {
      case "opening":
        this.#settle();
        this.#situation.watch(new Promise((resolve) => (this.#settle = () => resolve(undefined))));
        // The stream also connects again to add a session of another part or tab of the page, which changes nothing here.
        if (this.#situation.status !== "live") this.#situation.become("connecting");
        return;
      case "waiting":
        this.#settle();
        this.#isLost = true;
        return this.#situation.become("offline", { until: Date.now() + message.pause });
      case "event": return this.#show(message);
      case "end": return this.#leaveStream(message.reason);
    }
  }

  /** @param {{name: string, id: string, data: any, isStale?: boolean}} event */
  #show({ name, id, data, isStale = false }) {
    const following = this.#following;
    this.#values.receive(name, id, data, isStale);
    if (isStale || following !== this.#following) return;
    this.#settle();
    this.#live ??= now();
    this.#waited = 0;
    this.#isLost = false;
    this.#creation = undefined;
    confirm();
    this.#streamed = split(id)[1];
    this.emit("version", this.#streamed);
    if (this.#situation.status === "live") return;
    this.#situation.become("live");
    this.#outbox.run();
  }

  /** @param {string} reason */
  #leaveStream(reason) {
    if (reason === "unknown") miss(this.#creation);
    if (["deleted", "expired", "failed", "unknown"].includes(reason)) return void this.#replace(reason);
    if (reason === "unreachable") return this.#end(reason, "The server cannot be reached.");
    // The session may still exist, and if it does not, its own response has the reason.
    this.#continue(this.#id ?? "", "offline", pause(this.#fail()));
  }

  /** Counts a failure, and returns the number of those before it. */
  #fail() {
    if (this.#live && since(this.#live) > lasting) this.#failures = 0;
    this.#live = null;
    return this.#failures++;
  }

  /** @param {import("./outbox.js").Entry} entry */
  #post({ input, body, key }) {
    const path = `/v1/sessions/${this.#id}/inputs/${encodeURIComponent(input)}`;
    return this.#requests.send(path, { method: "POST", body, headers: { "Idempotency-Key": key } });
  }

  /**
   * Returns the error for an input that does not exist. If there is no session, begins a new one, which ends what waits.
   * @param {import("./request.js").Reply} reply
   * @returns {Promise<GranaryError | undefined>}
   */
  async #explain(reply) {
    const id = this.#id;
    // The session has been left since then.
    if (id === null) return;
    const { session, reason } = await this.#read(id);
    if (session !== null) return refusal(reply);
    if (this.#id === id && !this.isEnded) this.#replace(reason);
  }

  /**
   * Waits until a version is shown, and checks that the stream reports it.
   * @param {number} version
   * @param {Record<string, unknown>} [outputs] those of a version that the stream reports only if the client sees one of its changes
   */
  #expect(version, outputs) {
    const following = this.#following;
    const has = () => outputs !== undefined && this.#values.has(outputs);
    setTimeout(() => {
      // By now the server has sent the change to all streams of the session. A stream that has not received it is dead.
      const isLate = this.#streamed < version && this.status.status === "live" && !has();
      if (following === this.#following && isLate) following?.doubt();
    }, reporting);
    if (this.version >= version || following === null || has()) return;
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        stop();
        resolve(undefined);
      };
      const timer = setTimeout(finish, this.#requests.timeout);
      const stop = this.on("version", (shown) => (shown >= version || has()) && finish());
    });
  }

  /**
   * Performs an action until it succeeds, another one begins, or there is no hope.
   * @param {(isCurrent: () => boolean) => Promise<unknown>} action
   * @param {"connecting" | "offline"} [status]
   * @param {number} [delay]
   */
  async #attempt(action, status = "connecting", delay = 0) {
    const life = this.#begin();
    const isCurrent = () => life === this.#life;
    for (let attempts = 0, message = ""; ; attempts += 1) {
      if (delay > 0) {
        this.#waited += delay;
        this.#isLost = true;
        this.#situation.become("offline", { message, until: Date.now() + delay });
        await this.#sleep(delay);
        if (!isCurrent()) return;
      }
      this.#situation.become(status);
      try {
        if (this.#scope === null) {
          const scope = await this.#identify();
          this.#scope ??= scope;
          if (!isCurrent()) return;
        }
        return await action(isCurrent);
      } catch (error) {
        if (!isCurrent()) return;
        if (!(error instanceof GranaryError)) console.error(error);
        const isHopeless = error.isLasting || [401, 421].includes(error.status) && attempts > 4 || this.#waited > patience;
        if (isHopeless) return this.#end(error.code, error.message, error);
        message = error.status ? error.message : "";
        delay = (error.retryAfter ?? 0) + pause(attempts);
      }
    }
  }

  /** @param {number} time */
  #sleep(time) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  /** Cancels all operations of the session, so that it can start again. */
  #begin() {
    this.#stopRenewing();
    this.#settle();
    this.#following?.stop();
    this.#following = null;
    this.#life = Symbol();
    this.#wake();
    return this.#life;
  }

  /**
   * @param {string} reason
   * @param {string} message
   * @param {Error} [error]
   */
  #end(reason, message, error = new GranaryError("ended", message)) {
    this.#begin();
    this.#life = null;
    this.#ticket?.stop();
    machines.delete(this);
    this.#outbox.clear(reason === "closed" ? reason : "ended", message);
    this.ended(error);
    this.#situation.become("ended", { reason, message });
    this.emit("end", { reason, message });
  }

  /** Forgets the session. */
  #leave() {
    this.#id = null;
    this.#ticket?.stop();
    this.#ticket = null;
    this.#requests = this.#own;
    if (this.#scope !== null) remember(this.#key, null);
  }

  /**
   * Keeps a session, for a reload of the page.
   * @param {string} session
   * @param {string} [ticket] that of a guest, which has replaced another one
   */
  #keep(session, ticket) {
    if (ticket) this.#following?.renew(`Ticket ${ticket}`);
    if (this.#options.name !== undefined) remember(this.#key, ticket ? `${session} ${ticket}` : session);
  }

  /** @param {string} id a session that is no longer used */
  async #abandon(id) {
    await this.#own.send(`/v1/sessions/${id}`, { method: "DELETE" }).catch(() => undefined);
  }

  get #key() {
    const { server } = this.#own;
    return `session-${this.machine}-${this.#options.name}${server && ` ${server}`}${this.#scope}`;
  }

  /** Determines whose sessions the tab remembers: two principals may have sessions of the same name. */
  async #identify() {
    const { name, principal, token } = this.#options;
    if (name === undefined || principal === undefined && token === undefined) return "";
    const { digest, subject } = await import("./token.js");
    return ` ${digest(principal ?? subject(await this.#own.authorization().catch(unreachable)))}`;
  }
}

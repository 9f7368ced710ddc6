/**
 * One live instance of a machine on the server: sends inputs, follows outputs.
 *
 * It comes back by itself. After a lost connection it resumes where it was; when the server no longer knows the
 * session (it was restarted, or the session expired), it makes a new one.
 */
export class MachineSession {
  /** @type {EventSource | null} */
  #source = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #attempts = 0;
  #isClosed = false;
  /** @type {string | null} */
  #id = null;
  /** @type {string | null} */
  #lastEventID = null;
  /** @type {Promise<unknown>} */
  #sending = Promise.resolve();

  /**
   * @param {string} machine the name under which the machine is registered
   * @param {{
   *   changed: (outputs: Record<string, unknown>, changes: Record<string, unknown>) => void,
   *   emitted?: (output: string, value: unknown) => void,
   *   situation: (situation: "connecting" | "live" | "waiting" | "failed", detail?: string) => void,
   * }} view what shows the session
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

  /** Makes a session and follows it. */
  async open() {
    this.#stopFollowing();
    this.#isClosed = false;
    this.view.situation("connecting");
    try {
      const answer = await fetch("/v1/sessions", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ machine: this.machine }),
      });
      if (!answer.ok) throw await Problem.from(answer);
      const session = await answer.json();
      if (this.#isClosed) return;
      this.#id = session.id;
      this.#lastEventID = null;
      this.outputs = {};
      this.#take(session.outputs);
      this.#follow();
    } catch (error) {
      this.#tryAgain(error, () => this.open());
    }
  }

  /**
   * Sends one input, after those that were sent before it. Resolves with the outputs that it changed.
   * @param {string} input
   * @param {unknown} [value] left out for an input without a value
   * @returns {Promise<Record<string, unknown>>}
   */
  send(input, value) {
    const turn = this.#sending.then(() => this.#post(input, value));
    this.#sending = turn.catch(() => undefined);
    return turn;
  }

  /** Stops following and does not come back. The session itself expires on the server. */
  close() {
    this.#isClosed = true;
    this.#stopFollowing();
  }

  /** Closes, and ends the session on the server. A session that cannot be ended now expires there. */
  async end() {
    this.close();
    if (this.#id !== null) await fetch(`/v1/sessions/${this.#id}`, { method: "DELETE" }).catch(() => undefined);
  }

  /**
   * @param {string} input
   * @param {unknown} value
   */
  async #post(input, value) {
    if (this.#id === null) throw new Error("There is no session yet.");
    const path = `/v1/sessions/${this.#id}/inputs/${encodeURIComponent(input)}`;
    const body = value === undefined ? {} : {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(value),
    };
    const answer = await fetch(path, { method: "POST", ...body });
    if (answer.status === 404 || answer.status === 410) {
      await this.open();
      throw new Error("The session had ended; this is a new one.");
    }
    if (!answer.ok) throw await Problem.from(answer);
    return (await answer.json()).changes;
  }

  #follow() {
    const position = this.#lastEventID === null ? "" : `?lastEventID=${encodeURIComponent(this.#lastEventID)}`;
    const source = new EventSource(`/v1/sessions/${this.#id}/outputs${position}`);
    this.#source = source;
    source.addEventListener("open", () => {
      this.#attempts = 0;
      this.view.situation("live");
    });
    for (const name of ["snapshot", "change", "resume"]) {
      source.addEventListener(name, (event) => this.#receive(name, event));
    }
    source.addEventListener("end", (event) => this.#end(JSON.parse(event.data).reason));
    source.addEventListener("error", () => this.#lost(source));
  }

  /**
   * @param {string} name
   * @param {MessageEvent<string>} event
   */
  #receive(name, event) {
    if (event.lastEventId) this.#lastEventID = event.lastEventId;
    if (name === "resume") return;
    const { $emitted: emitted = [], ...changes } = JSON.parse(event.data);
    if (name === "snapshot") this.outputs = {};
    this.#take(changes);
    for (const { output, value } of emitted) this.view.emitted?.(output, value);
  }

  /** @param {Record<string, unknown>} changes */
  #take(changes) {
    Object.assign(this.outputs, changes);
    this.view.changed(this.outputs, changes);
  }

  /**
   * `draining` and `rotated` are followed by a close after which EventSource comes back by itself; after the other
   * reasons there is nothing to come back to.
   * @param {string} reason
   */
  #end(reason) {
    if (reason === "draining" || reason === "rotated") {
      this.view.situation("waiting");
    } else if (reason === "deleted" || reason === "expired") {
      this.open();
    } else {
      this.close();
      this.view.situation("failed", `The session has ended: ${reason}.`);
    }
  }

  /**
   * EventSource comes back by itself from a lost connection, but gives up on any status but 200: 204 for a session
   * that has ended, 404 for one that a restarted server does not know, 502 or 503 from what stands between.
   * @param {EventSource} source
   */
  #lost(source) {
    if (source !== this.#source) return;
    this.view.situation("waiting");
    if (source.readyState === EventSource.CLOSED) this.#tryAgain(null, () => this.#comeBack());
  }

  /** Follows the session again if the server still knows it, otherwise makes a new one. */
  async #comeBack() {
    try {
      const answer = await fetch(`/v1/sessions/${this.#id}`);
      if (this.#isClosed) return;
      if (answer.ok) {
        this.#follow();
      } else if (answer.status === 404 || answer.status === 410) {
        await this.open();
      } else {
        throw await Problem.from(answer);
      }
    } catch (error) {
      this.#tryAgain(error, () => this.#comeBack());
    }
  }

  /**
   * Tries again after a pause that doubles up to 15 s, with a random part so that clients do not come back at once.
   * @param {unknown} error
   * @param {() => unknown} action
   */
  #tryAgain(error, action) {
    if (this.#isClosed) return;
    this.#stopFollowing();
    if (error instanceof Problem && error.isLasting) {
      this.view.situation("failed", error.message);
      return;
    }
    this.view.situation("waiting");
    const pause = Math.min(15_000, 500 * 2 ** this.#attempts) * (0.5 + Math.random() / 2);
    this.#attempts = Math.min(this.#attempts + 1, 8);
    this.#timer = setTimeout(action, pause);
  }

  #stopFollowing() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }
}

/** An error that the server explained (RFC 9457). */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  /** Whether the same request would fail again. */
  get isLasting() {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
  }

  /** @param {Response} answer */
  static async from(answer) {
    const details = await answer.json().catch(() => ({}));
    return new Problem(answer.status, details.detail ?? details.title ?? `The server answered ${answer.status}.`);
  }
}

import { patience } from "./backoff.js";

/**
 * Why something failed. `code` is one of:
 * - `refused`: the server has refused the request; `status` and `problem` (RFC 9457) tell why. Nothing has run.
 * - `unreachable`: there was no complete response
 * - `unknown`: an input may or may not have run, and it is too late to repeat it
 * - `ended`: the session ended first
 * - `full`: too many inputs wait to be sent
 * - `closed`: the client was closed
 */
export class GranaryError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Reply} [reply]
   */
  constructor(code, message, { status = 0, retryAfter = 0, body } = {}) {
    super(message);
    this.name = "GranaryError";
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.problem = body ?? {};
  }

  /** Whether a repetition of the request would fail again. */
  get isLasting() {
    const { status, problem } = this;
    const known = kind(problem);
    // The server states why it rejects credentials. Another 401 is from somebody between here and the server.
    if (isForeign(status, problem) || known === "idempotency-conflict" || status === 401 && !known) return false;
    return status >= 400 && status < 500 && !temporary.includes(status);
  }
}

const temporary = [408, 421, 425, 429];

/**
 * Returns the kind of a problem of the server (Docs/http.md). It is empty if the response is from somebody between here and the server.
 * @param {any} body
 * @returns {string}
 */
export function kind(body) {
  return /^\/problems\/(.+)/.exec(body?.type)?.[1] ?? "";
}

/**
 * Whether a proxy reports that it has not found the server, which tells nothing about what the server has.
 * @param {number} status
 * @param {any} body
 */
export function isForeign(status, body) {
  return (status === 404 || status === 410) && kind(body) === "";
}

/**
 * Returns the pause in milliseconds that a response asks for (RFC 9110, section 10.2.3), at most a day.
 * @param {Headers} headers
 */
export function retryAfter(headers) {
  const text = headers.get("Retry-After") ?? "";
  // The clock of the browser may be wrong.
  const now = Date.parse(headers.get("Date") ?? "") || Date.now();
  const time = Number.isNaN(Number(text)) ? Date.parse(text) - now : 1000 * Number(text);
  return Math.min(Math.max(time || 0, 0), patience);
}

/**
 * Returns the session of a response, with the epoch of its version, which is empty if it is unknown.
 * @param {Reply} reply
 */
export function description({ headers, body }) {
  return { ...body, epoch: /"(.*)\.\d+"$/.exec(headers.get("ETag") ?? "")?.[1] ?? "" };
}

/**
 * Returns the error for a response.
 * @param {Reply} reply
 */
export function refusal(reply) {
  const { detail, title } = reply.body ?? {};
  return new GranaryError(
    "refused", detail ?? title ?? `The server responded with status ${reply.status}.`, reply);
}

/**
 * A complete response. `retryAfter` is in milliseconds, and `body` is the JSON value.
 * @typedef {{status: number, headers: Headers, retryAfter: number, body: any}} Reply
 */

/** Sends requests with a credential, which it renews. */
export class Requests {
  /** The field `Authorization`, or an empty text. @type {Promise<string> | undefined} */
  #credential;

  /** @param {{server: string, token?: unknown, fetch?: typeof fetch, credentials?: RequestCredentials, timeout: number}} options */
  constructor({ server, token, fetch: send = (...request) => fetch(...request), credentials, timeout }) {
    this.server = server;
    this.token = token;
    this.fetch = send;
    this.credentials = credentials;
    this.timeout = timeout;
  }

  /**
   * Replaces the credential.
   * @param {string} text
   */
  use(text) {
    this.#credential = Promise.resolve(text);
    this.token = undefined;
  }

  /** Whether another credential can be obtained. */
  get isRenewable() {
    return typeof this.token === "function";
  }

  /**
   * Returns the field `Authorization`, or an empty text.
   * @param {string} [stale] the one that is no longer good
   */
  async authorization(stale) {
    const { token } = this;
    const current = this.#credential;
    if (current !== undefined && (!this.isRenewable || await current !== stale)) return current;
    // Another request may have renewed it meanwhile.
    if (this.#credential === current) {
      this.#credential = (async () => {
        const text = typeof token === "function" ? await within(this.timeout, token()) : token;
        return text ? `Bearer ${text}` : "";
      })();
      this.#credential.catch(() => (this.#credential = undefined));
    }
    return this.#credential;
  }

  /**
   * Sends a request, again with another credential if the first one is not accepted.
   * @param {string} path
   * @param {{method?: string, body?: string, headers?: Record<string, string>}} [options]
   * @returns {Promise<Reply>}
   */
  async send(path, options = {}) {
    const credential = await this.authorization().catch(unreachable);
    const reply = await this.#send(path, options, credential);
    if (reply.status !== 401 || !this.isRenewable) return reply;
    return this.#send(path, options, await this.authorization(credential).catch(unreachable));
  }

  async #send(path, { method = "GET", body, headers = {} }, credential) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), this.timeout);
    try {
      const response = await this.fetch(this.server + path, {
        method, body, signal: controller.signal, cache: "no-store", credentials: this.credentials,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(credential ? { Authorization: credential } : {}),
        },
      });
      const text = await response.text();
      return {
        status: response.status, headers: response.headers, body: json(text, response.ok),
        retryAfter: retryAfter(response.headers),
      };
    } catch {
      unreachable();
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Returns the value of a promise, or throws an error if it has none in time.
 * @template Value
 * @param {number} time in milliseconds
 * @param {Value | Promise<Value>} promise
 */
async function within(time, promise) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const end = new Promise((_, reject) => (timer = setTimeout(reject, time)));
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** @returns {never} */
export function unreachable() {
  // The messages of browsers, such as "Failed to fetch", do not help users.
  throw new GranaryError("unreachable", "The server cannot be reached.");
}

/**
 * @param {string} text
 * @param {boolean} isRequired whether other text than JSON means that the response is incomplete
 */
function json(text, isRequired) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    if (isRequired) throw error;
  }
}

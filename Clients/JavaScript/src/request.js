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
    return this.status >= 400 && this.status < 500 && !temporary.includes(this.status);
  }
}

const temporary = [408, 421, 425, 429];

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
        const text = typeof token === "function" ? await token() : token;
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
        retryAfter: 1000 * (Number(response.headers.get("Retry-After")) || 0),
      };
    } catch {
      unreachable();
    } finally {
      clearTimeout(timer);
    }
  }
}

/** @returns {never} */
function unreachable() {
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

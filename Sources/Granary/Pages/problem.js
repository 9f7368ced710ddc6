/** An error that the server explained (RFC 9457). */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {number} [retryAfter] how long the server asks to wait, in milliseconds
   */
  constructor(status, message, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request would fail again. */
  get isLasting() {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
  }

  /** @param {Response} response */
  static async from(response) {
    const details = await response.json().catch(() => ({}));
    const message = details.detail ?? details.title ?? `The server responded with status ${response.status}.`;
    return new Problem(response.status, message, 1000 * (Number(response.headers.get("Retry-After")) || 0));
  }
}

/** A request that got no response, or not all of it. */
export class ConnectionError extends Error {}

/**
 * Like `fetch`, but fails with words that people understand.
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function request(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    // What browsers say here, such as "Failed to fetch", helps nobody.
    throw new ConnectionError("The server cannot be reached.");
  }
}

/**
 * The JSON of a response.
 * @param {Response} response
 */
export async function contents(response) {
  try {
    return await response.json();
  } catch {
    throw new ConnectionError("The server's response was incomplete.");
  }
}

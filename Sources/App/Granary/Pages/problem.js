/** An error response with problem details (RFC 9457). */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {number} [retryAfter] the time to wait before a retry, in milliseconds
   */
  constructor(status, message, retryAfter = 0) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether a retry of the same request would fail again. */
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

/** A request without a complete response. */
export class ConnectionError extends Error {}

/**
 * Like `fetch`, but with error messages for users.
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function request(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    // The browsers' own messages, such as "Failed to fetch", do not help users.
    throw new ConnectionError("The server cannot be reached.");
  }
}

/**
 * Returns the JSON content of a response.
 * @param {Response} response
 */
export async function contents(response) {
  try {
    return await response.json();
  } catch {
    throw new ConnectionError("The server's response was incomplete.");
  }
}

import { Problem, contents, request } from "./problem.js";

/** The time in milliseconds after which a failed renewal is repeated. */
const repetition = 5000;

/** A ticket for the session of somebody else, which is renewed while it is used. */
export class Ticket {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {string} session the id of the session
   * @param {string} text the ticket
   * @param {(text: string) => void} renewed called with each ticket that replaces the previous one
   */
  constructor(session, text, renewed) {
    this.session = session;
    this.text = text;
    this.renewed = renewed;
  }

  /** The fields of requests with this ticket. */
  get fields() {
    return { Authorization: `Ticket ${this.text}` };
  }

  /** Redeems the ticket for another one, and renews that one after half of its time. */
  async redeem() {
    const response = await request(`/v1/sessions/${this.session}/tickets`, { method: "POST", headers: this.fields });
    if (!response.ok) throw await Problem.from(response);
    const { ticket, expires } = await contents(response);
    this.text = ticket;
    // By the clock of the server, because that of the browser may be wrong.
    const now = Date.parse(response.headers.get("Date") ?? "") || Date.now();
    this.#renewAfter((Date.parse(expires) - now) / 2);
    this.renewed(ticket);
  }

  /** Stops renewing the ticket. */
  stop() {
    clearTimeout(this.#timer);
  }

  /** @param {number} time */
  #renewAfter(time) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // A ticket that is no longer accepted ends the stream, which shows the reason.
      this.redeem().catch((error) => {
        if (!(error instanceof Problem && error.isLasting)) this.#renewAfter(repetition);
      });
    }, Math.min(Math.max(time, 1000), 2 ** 31 - 1));
  }
}

/**
 * Requests a ticket with which another browser takes part in a session. It can be redeemed once, within a day, and the
 * ticket for which it is redeemed is valid for an hour at a time.
 * @param {string} session
 * @param {Record<string, string>} fields the fields of requests for the session
 * @returns {Promise<string>}
 */
export async function invite(session, fields) {
  const response = await request(`/v1/sessions/${session}/tickets`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...fields },
    body: JSON.stringify({ allows: ["read", "write"], expiresIn: "24h", uses: 1, renewsFor: "1h", label: "Guest" }),
  });
  if (!response.ok) throw await Problem.from(response);
  return (await contents(response)).ticket;
}

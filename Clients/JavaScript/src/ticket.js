import { refusal } from "./request.js";

/** The time in milliseconds after which a failed renewal is repeated. */
const repetition = 5000;

/** A ticket for the session of somebody else, which is renewed while it is used. */
export class Ticket {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isStopped = false;

  /**
   * @param {import("./request.js").Requests} requests
   * @param {string} session the id of the session
   * @param {(text: string) => void} renewed called with each ticket that replaces the previous one
   */
  constructor(requests, session, renewed) {
    this.requests = requests;
    this.session = session;
    this.renewed = renewed;
  }

  /**
   * Redeems the ticket for another one, and renews that one after half of its time.
   * @param {string} [key] a repetition with the same key gets the same ticket, also if this one can be used once
   */
  async redeem(key) {
    const headers = key === undefined ? undefined : { "Idempotency-Key": key };
    const reply = await this.requests.send(`/v1/sessions/${this.session}/tickets`, { method: "POST", headers });
    if (typeof reply.body?.ticket !== "string") throw refusal(reply);
    if (this.#isStopped) return;
    const { ticket, expires } = reply.body;
    this.requests.use(`Ticket ${ticket}`);
    // By the clock of the server, because that of the browser may be wrong.
    const now = Date.parse(reply.headers.get("Date") ?? "") || Date.now();
    this.#renewAfter((Date.parse(expires) - now) / 2);
    this.renewed(ticket);
  }

  /** Stops renewing the ticket. */
  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** @param {number} time */
  #renewAfter(time) {
    clearTimeout(this.#timer);
    // What was requested before it was stopped may fail after that.
    if (this.#isStopped || Number.isNaN(time)) return;
    this.#timer = setTimeout(() => {
      // A ticket that is no longer accepted ends the stream, which shows the reason.
      this.redeem().catch((error) => {
        if (!error.isLasting) this.#renewAfter(repetition);
      });
    }, Math.min(Math.max(time, 1000), 2 ** 31 - 1));
  }
}

/**
 * Requests a ticket with which somebody else takes part in a session. By default, it can be redeemed once, within a day, and
 * the ticket for which it is redeemed is valid for an hour at a time.
 * @param {import("./request.js").Requests} requests
 * @param {string} session
 * @param {object} [terms]
 * @returns {Promise<string>}
 */
export async function invite(requests, session, terms) {
  const reply = await requests.send(`/v1/sessions/${session}/tickets`, {
    method: "POST",
    body: JSON.stringify({ allows: ["read", "write"], expiresIn: "24h", uses: 1, renewsFor: "1h", label: "Guest", ...terms }),
  });
  if (typeof reply.body?.ticket !== "string") throw refusal(reply);
  return reply.body.ticket;
}

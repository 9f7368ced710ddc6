import { StreamConnection } from "./connection.js";

/**
 * Follows all sessions over as few connections as possible: one for the sessions of the browser, and one for each session
 * that somebody else has shared, because its ticket is the credential of its stream. Runs in a shared worker for all
 * tabs, or in a page.
 */
export class StreamHub {
  /** @type {{owner: string, connection: StreamConnection}[]} */
  #streams = [];

  /**
   * Sends what happens in a session to a port.
   * @param {{session: string, ticket: string}} followed `ticket` is empty for a session of the browser
   * @param {MessagePort} port
   * @param {AbortSignal} [gone] aborted when the tab of the port has ended
   */
  follow({ session, ticket }, port, gone) {
    const owner = ticket === "" ? "" : session;
    this.#streams = this.#streams.filter(({ connection }) => !connection.isEmpty);
    const streams = this.#streams.filter((stream) => stream.owner === owner);
    const { connection } = streams.find(({ connection }) => connection.has(session))
      ?? streams.find(({ connection }) => connection.hasRoom) ?? this.#make(owner);
    connection.follow(session, ticket, port, gone);
  }

  /** @param {string} owner */
  #make(owner) {
    const stream = { owner, connection: new StreamConnection() };
    this.#streams.push(stream);
    return stream;
  }
}

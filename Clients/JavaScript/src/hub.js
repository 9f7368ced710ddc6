import { StreamConnection } from "./connection.js";

/**
 * A session that is followed: `owner` tells principals apart, `authorization` is the credential of the stream, and `position` is
 * what the follower has seen.
 * @typedef {{session: string, owner: string, server: string, credentials?: RequestCredentials, authorization: string,
 *   position: string}} Followed
 */

/**
 * Follows all sessions over as few connections as possible: one for the sessions of each principal at each server. Runs in a
 * shared worker for all tabs, in one of the tabs, or in each of them.
 */
export class StreamHub {
  /** @type {{owner: string, connection: StreamConnection}[]} */
  #streams = [];

  /** @param {typeof fetch} [fetch] */
  constructor(fetch) {
    this.fetch = fetch;
  }

  /**
   * Sends what happens in a session to a port.
   * @param {Followed} followed
   * @param {MessagePort} port
   * @param {AbortSignal} [gone] aborted when the tab of the port has ended
   */
  follow(followed, port, gone) {
    const { session, server, credentials } = followed;
    const owner = JSON.stringify([server, credentials, followed.owner]);
    this.#streams = this.#streams.filter(({ connection }) => !connection.isEmpty);
    const streams = this.#streams.filter((stream) => stream.owner === owner);
    const found = streams.find(({ connection }) => connection.has(session))
      ?? streams.find(({ connection }) => connection.hasRoom);
    const connection = found?.connection ?? new StreamConnection({ server, credentials, fetch: this.fetch });
    if (found === undefined) this.#streams.push({ owner, connection });
    connection.follow(followed, port, gone);
  }

  /** Stops immediately: the messages of a page that the user has left are not delivered. */
  close() {
    for (const { connection } of this.#streams.splice(0)) connection.close();
  }
}

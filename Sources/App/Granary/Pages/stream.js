import { pause } from "./backoff.js";

/**
 * What one event stream for several sessions does, as plain data and functions: each function takes what has happened
 * and returns the actions to perform. `StreamConnection` performs them.
 *
 * A stream follows its sessions together, because over HTTP/1.1 a browser opens only six connections to a server. To add
 * or to remove a session, it connects again with the positions that it has, and continues there.
 */

/** The maximum number of sessions of a stream, which the server determines. */
export const mostSessions = 64;

/** The time in milliseconds during which sessions are collected before the stream connects again. */
const collecting = 20;

/** The shortest time until a client returns that shares the end of its stream with all others. */
const returning = 2000;

/**
 * - `ticket`: the credential of the stream; empty if the browser adds its own
 * - `positions`: the client's position in each session; empty for a session whose snapshot is still missing
 * - `connection`: what the connection does
 * - `attempts`: the number of failures since the last event
 * - `isRetrying`: whether the timer waits until the next attempt, rather than for more sessions
 * @typedef {{
 *   ticket: string, positions: Map<string, string>, connection: "none" | "opening" | "open", attempts: number,
 *   isRetrying: boolean,
 * }} Stream
 */

/**
 * What the followers of a session learn:
 * - `opening`: the connection is opened; the first event shows that it is open and that the session exists
 * - `waiting`: the connection was lost and is opened again after `pause` milliseconds
 * - `event`: an event of the session with its JSON data
 * - `end`: the session is no longer followed, for the server's `reason`, or `refused` if the server refused the stream
 * - `alive`: the response to a doubt
 * @typedef {{type: "opening"} | {type: "waiting", pause: number}
 *   | {type: "event", name: string, data: string} | {type: "end", reason: string}
 *   | {type: "alive"}} Message
 */

/**
 * - `connect`: opens a connection in place of the current one
 * - `close`: closes the connection and stops the timer
 * - `wait`: starts the timer, in place of the current one
 * - `tell`: sends a message to the followers of sessions
 * @typedef {{do: "connect", url: string} | {do: "close"} | {do: "wait", time: number}
 *   | {do: "tell", sessions: string[], message: Message}} Action
 */

/** @returns {Stream} */
export function makeStream() {
  return { ticket: "", positions: new Map(), connection: "none", attempts: 0, isRetrying: false };
}

/**
 * Adds a session, or another follower of one, who needs a snapshot.
 * @param {Stream} stream
 * @param {string} session
 * @returns {Action[]}
 */
export function add(stream, session) {
  stream.positions.set(session, "");
  // The follower has just reached the server, so there is no reason to wait for the next attempt.
  stream.isRetrying = false;
  return [{ do: "wait", time: collecting }];
}

/**
 * Removes a session that nobody follows any longer, so that the stream does not keep it alive.
 * @param {Stream} stream
 * @param {string} session
 * @returns {Action[]}
 */
export function remove(stream, session) {
  if (!stream.positions.delete(session)) return [];
  if (stream.positions.size === 0) return close(stream);
  return stream.isRetrying ? [] : [{ do: "wait", time: collecting }];
}

/**
 * The time that an action has set is over.
 * @param {Stream} stream
 * @returns {Action[]}
 */
export function timerFired(stream) {
  stream.isRetrying = false;
  stream.connection = "opening";
  return [{ do: "connect", url: address(stream) }, tellAll(stream, { type: "opening" })];
}

/**
 * @param {Stream} stream
 * @returns {Action[]}
 */
export function opened(stream) {
  stream.connection = "open";
  return [];
}

/**
 * An event has arrived.
 * @param {Stream} stream
 * @param {string} name
 * @param {string} text its data
 * @param {number} chance a random number from 0 to 1
 * @returns {Action[]}
 */
export function received(stream, name, text, chance) {
  const head = /^\{"session":"([\w-]+)"(?:,"id":"([^"]*)")?,"data":/.exec(text);
  // The end of the stream, which is not that of its sessions. All clients receive it at the same time.
  if (head === null) return name === "end" ? retry(stream, chance, returning) : [];
  const [start, session, position = ""] = head;
  if (!stream.positions.has(session)) return [];
  const data = text.slice(start.length, -1);
  if (name === "end") return ended(stream, session, JSON.parse(data).reason);
  stream.attempts = 0;
  stream.positions.set(session, position);
  return [tell([session], { type: "event", name, data })];
}

/**
 * The connection has failed.
 * @param {Stream} stream
 * @param {boolean} isRefused whether the server has responded with a status other than 200, for which a stream cannot
 *   give a reason
 * @param {number} chance a random number from 0 to 1
 * @returns {Action[]}
 */
export function lost(stream, isRefused, chance) {
  if (!isRefused) return retry(stream, chance);
  const refused = tellAll(stream, { type: "end", reason: "refused" });
  stream.positions.clear();
  return [...close(stream), refused];
}

/**
 * A follower has learned of a change that an open stream has not reported.
 * @param {Stream} stream
 * @param {number} chance a random number from 0 to 1
 * @returns {Action[]}
 */
export function doubted(stream, chance) {
  return stream.connection === "open" ? retry(stream, chance) : [];
}

/**
 * @param {Stream} stream
 * @param {string} session
 * @param {string} reason
 * @returns {Action[]}
 */
function ended(stream, session, reason) {
  stream.positions.delete(session);
  const end = tell([session], { type: "end", reason });
  return stream.positions.size === 0 ? [...close(stream), end] : [end];
}

/**
 * Connects again after a pause.
 * @param {Stream} stream
 * @param {number} chance
 * @param {number} [least]
 * @returns {Action[]}
 */
function retry(stream, chance, least = 0) {
  const time = least + pause(stream.attempts, chance);
  stream.attempts = Math.min(stream.attempts + 1, 8);
  const closing = close(stream);
  stream.isRetrying = true;
  return [...closing, tellAll(stream, { type: "waiting", pause: time }), { do: "wait", time }];
}

/**
 * @param {Stream} stream
 * @returns {Action[]}
 */
function close(stream) {
  stream.connection = "none";
  stream.isRetrying = false;
  return [{ do: "close" }];
}

/**
 * Returns the path of the stream. Positions are those of single streams, which clients may join.
 * @param {Stream} stream
 */
function address({ ticket, positions }) {
  const known = [...positions.values()].filter((position) => position !== "");
  const query = [...positions.keys()].map((session) => `session=${session}`);
  if (known.length > 0) query.push(`lastEventID=${known.join("~")}`);
  if (ticket !== "") query.push(`ticket=${ticket}`);
  return `/v1/outputs?${query.join("&")}`;
}

/**
 * @param {string[]} sessions
 * @param {Message} message
 * @returns {Action}
 */
function tell(sessions, message) {
  return { do: "tell", sessions, message };
}

/**
 * @param {Stream} stream
 * @param {Message} message
 */
function tellAll(stream, message) {
  return tell([...stream.positions.keys()], message);
}

import { patience, pause } from "./backoff.js";
import { earlier, split } from "./values.js";

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

/** The longest time that the server can ask for before the next attempt, and that followers have to renew a credential. */
const [longestRetry, renewal] = [300_000, 30_000];

/**
 * - `authorization`: the credential of the stream; empty if the browser adds its own
 * - `positions`: the client's position in each session; empty for a session whose snapshot is still missing
 * - `states`: the outputs of each session with their position, for further followers
 * - `held`: the sessions that another follower needs from an earlier position: what the current connection sends of them would skip
 *   what that follower has missed, and the next one repeats it
 * - `connection`: what the connection does
 * - `attempts`: the number of failures since a stream has lasted, and `waited` the time that it has waited since the last event
 * - `retry`: the time that the server asks to wait after the end of a stream
 * - `isRetrying`: whether the timer waits until the next attempt, rather than for more sessions
 * - `isAsking`: whether it waits for another credential, which is requested once between two events (`hasAsked`)
 * @typedef {{
 *   authorization: string, positions: Map<string, string>, states: Map<string, {id: string, outputs: object}>,
 *   held: Set<string>, connection: "none" | "opening" | "open", attempts: number, waited: number, retry: number, isRetrying: boolean,
 *   isAsking: boolean, hasAsked: boolean,
 * }} Stream
 */

/**
 * What the followers of a session learn:
 * - `opening`: the connection is opened; the first event shows that it is open and that the session exists
 * - `waiting`: the connection was lost and is opened again after `pause` milliseconds
 * - `event`: an event of the session; `isStale` if the connection is not open
 * - `end`: the session is no longer followed, for the server's `reason`; `refused` if the server refused the stream, `gone` if it
 *   has ended all sessions of it, `unreachable` if there was no response for too long
 * - `authorize`: another credential is needed
 * - `alive`: the response to a follower that was added, and to a doubt
 * @typedef {{type: "opening"} | {type: "waiting", pause: number}
 *   | {type: "event", name: string, id: string, data: object, isStale?: boolean} | {type: "end", reason: string}
 *   | {type: "authorize"} | {type: "alive"}} Message
 */

/**
 * - `connect`: opens a connection in place of the current one
 * - `close`: closes the connection and stops the timer
 * - `wait`: starts the timer, in place of the current one
 * - `tell`: sends a message to the followers of sessions
 * - `greet`: sends a message to the follower that was added
 * @typedef {{do: "connect", path: string} | {do: "close"} | {do: "wait", time: number}
 *   | {do: "tell", sessions: string[], message: Message} | {do: "greet", message: Message}} Action
 */

/** @returns {Stream} */
export function makeStream() {
  return {
    authorization: "", positions: new Map(), states: new Map(), held: new Set(), connection: "none", attempts: 0, waited: 0, retry: 2000,
    isRetrying: false, isAsking: false, hasAsked: false,
  };
}

/**
 * Adds a session, or another follower of one.
 * @param {Stream} stream
 * @param {string} session
 * @param {string} position what the follower has seen; empty if it needs a snapshot
 * @returns {Action[]}
 */
export function add(stream, session, position) {
  const known = stream.positions.get(session);
  const state = stream.states.get(session);
  const isOpen = stream.connection === "open" && known !== "";
  /** @type {Action[]} */
  const greeting = [];
  if (known && position === "" && state !== undefined) {
    const data = { ...state.outputs };
    greeting.push({ do: "greet", message: { type: "event", name: "snapshot", id: state.id, data, isStale: !isOpen } });
  } else if (known && position === known && isOpen) {
    greeting.push({ do: "greet", message: { type: "event", name: "resume", id: known, data: {} } });
  } else {
    const start = known === undefined ? position : known && position && earlier(known, position);
    if (known !== undefined && start !== known) stream.held.add(session);
    stream.positions.set(session, start);
  }
  if (isOpen && greeting.length > 0) return greeting;
  // The follower has just reached the server, so there is no reason to wait for the next attempt.
  stream.isRetrying = false;
  return stream.isAsking ? greeting : [...greeting, { do: "wait", time: collecting }];
}

/**
 * Removes a session that nobody follows any longer, so that the stream does not keep it alive.
 * @param {Stream} stream
 * @param {string} session
 * @returns {Action[]}
 */
export function remove(stream, session) {
  stream.states.delete(session);
  if (!stream.positions.delete(session)) return [];
  if (stream.positions.size === 0) return close(stream);
  return stream.isRetrying || stream.isAsking ? [] : [{ do: "wait", time: collecting }];
}

/**
 * The time that an action has set is over.
 * @param {Stream} stream
 * @returns {Action[]}
 */
export function timerFired(stream) {
  if (stream.isAsking) return refuse(stream);
  stream.isRetrying = false;
  stream.held.clear();
  stream.connection = "opening";
  return [{ do: "connect", path: address(stream) }, tellAll(stream, { type: "opening" })];
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
  /** @type {any} */
  let event;
  try {
    event = JSON.parse(text) ?? {};
  } catch {
    // The connection is broken. Another one continues after the last event.
    return retry(stream, chance);
  }
  const { session, id, data } = event;
  // The end of the stream, which is not that of its sessions.
  if (session === undefined) return name === "end" ? retry(stream, chance, stream.retry) : [];
  if (!stream.positions.has(session) || stream.held.has(session)) return [];
  if (name === "end") return ended(stream, session, data.reason);
  if (typeof id !== "string") return [];
  Object.assign(stream, { waited: 0, hasAsked: false });
  stream.positions.set(session, id);
  keep(stream, session, name, id, data);
  return [tell([session], { type: "event", name, id, data })];
}

/**
 * The stream has been open for a while. One that is cut earlier, again and again, is opened after longer pauses.
 * @param {Stream} stream
 */
export function lasted(stream) {
  if (stream.connection === "open") stream.attempts = 0;
}

/**
 * The connection has failed.
 * @param {Stream} stream
 * @param {number} chance a random number from 0 to 1
 * @returns {Action[]}
 */
export function lost(stream, chance) {
  return retry(stream, chance);
}

/**
 * The server has responded with a status other than 200.
 * @param {Stream} stream
 * @param {number} status
 * @param {number} retryAfter the time in milliseconds that the server asks to wait
 * @param {number} chance a random number from 0 to 1
 * @returns {Action[]}
 */
export function refused(stream, status, retryAfter, chance) {
  if (status === 204) return refuse(stream, "gone");
  if (status === 401 && !stream.hasAsked) {
    const closing = close(stream);
    Object.assign(stream, { isAsking: true, hasAsked: true });
    return [...closing, tellAll(stream, { type: "authorize" }), { do: "wait", time: renewal }];
  }
  // 404 and 410 are from a proxy: the server has them in the stream, for each session.
  const isTemporary = status >= 500 || [404, 408, 410, 425, 429].includes(status) || status === 421 && stream.attempts < 5;
  return isTemporary ? retry(stream, chance, Math.min(retryAfter, longestRetry)) : refuse(stream);
}

/**
 * A follower has another credential.
 * @param {Stream} stream
 * @param {string} authorization
 * @returns {Action[]}
 */
export function authorized(stream, authorization) {
  const isNew = authorization !== "" && authorization !== stream.authorization;
  if (isNew) stream.authorization = authorization;
  if (!stream.isAsking) return [];
  // Without another one, followers learn the reason when they read their sessions.
  if (!isNew) return refuse(stream);
  stream.isAsking = false;
  return [{ do: "wait", time: collecting }];
}

/**
 * A follower has learned of a change that an open stream has not reported, or that the network has changed.
 * @param {Stream} stream
 * @param {number} chance a random number from 0 to 1
 * @returns {Action[]}
 */
export function doubted(stream, chance) {
  return stream.connection === "open" ? retry(stream, chance) : [];
}

/**
 * There is a reason not to wait for the next attempt.
 * @param {Stream} stream
 * @returns {Action[]}
 */
export function hurried(stream) {
  return stream.isRetrying ? [{ do: "wait", time: collecting }] : [];
}

/** Keeps the outputs of a session up to date. */
function keep({ states }, session, name, id, { $emitted, ...changes }) {
  const state = states.get(session);
  if (name === "snapshot") return void states.set(session, { id, outputs: changes });
  if (name !== "change" || state === undefined) return;
  const [[epoch, version], [known, current]] = [split(id), split(state.id)];
  if (epoch !== known || version <= current) return;
  Object.assign(state.outputs, changes);
  state.id = id;
}

function ended(stream, session, reason) {
  stream.positions.delete(session);
  stream.states.delete(session);
  const end = tell([session], { type: "end", reason });
  return stream.positions.size === 0 ? [...close(stream), end] : [end];
}

/** Leaves the sessions to their followers. */
function refuse(stream, reason = "refused") {
  const end = tellAll(stream, { type: "end", reason });
  stream.positions.clear();
  stream.states.clear();
  return [...close(stream), end];
}

/**
 * Connects again after a pause.
 * @param {Stream} stream
 * @param {number} chance
 * @param {number} [least]
 * @returns {Action[]}
 */
function retry(stream, chance, least = 0) {
  const time = Math.min(least, longestRetry) + pause(stream.attempts, chance);
  stream.attempts += 1;
  stream.waited += time;
  if (stream.waited > patience) return refuse(stream, "unreachable");
  const closing = close(stream);
  stream.isRetrying = true;
  return [...closing, tellAll(stream, { type: "waiting", pause: time }), { do: "wait", time }];
}

function close(stream) {
  Object.assign(stream, { connection: "none", isRetrying: false, isAsking: false });
  return [{ do: "close" }];
}

/**
 * Returns the path of the stream. Positions are those of single streams, which clients may join.
 * @param {Stream} stream
 */
function address({ positions }) {
  const known = [...positions.values()].filter((position) => position !== "");
  const query = [...positions.keys()].map((session) => `session=${session}`);
  if (known.length > 0) query.push(`lastEventID=${known.join("~")}`);
  return `/v1/outputs?${query.join("&")}`;
}

/** @returns {Action} */
function tell(sessions, message) {
  return { do: "tell", sessions, message };
}

function tellAll(stream, message) {
  return tell([...stream.positions.keys()], message);
}

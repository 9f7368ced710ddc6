import { description, refusal } from "./request.js";

/**
 * The creation of sessions. The first one gives a browser a cookie, if the server is configured to. The sessions of the
 * browser belong to that cookie, and those with a name are found again by a reloaded page and by another tab.
 */

/**
 * Whether sessions are created without an owner: whoever knows the id may use them. Otherwise a browser without cookies
 * could not use its own session.
 */
let isAnonymous = globalThis.navigator?.cookieEnabled === false;

/** The number of the current attempt to get a cookie, which all sessions make together. */
let attempt = 0;

/** The number of failed attempts in a row. */
let misses = 0;

/** Whether this page has created or found a session, and so the browser has its cookie. */
let isKnown = false;

/** Settles after the creations that were requested before. @type {Promise<unknown>} */
let previous = Promise.resolve();

/**
 * Creates a session, or finds the one with a name.
 * @param {import("./request.js").Requests} requests
 * @param {{machine: string, name?: string, parameters?: unknown}} session
 * @param {string} key a repetition with the same key does not create another session
 * @returns {Promise<{id: string, version: number, outputs: Record<string, unknown>, epoch: string, attempt?: number}>} `attempt` is for `miss`
 */
export function create(requests, session, key) {
  if (requests.token !== undefined) return post(requests, session, key, false);
  if (isAnonymous || isKnown) return post(requests, session, key);
  // Each request without a cookie gets another one, so the others wait for the first.
  const work = () => post(requests, session, key);
  const creation = previous.then(() => (isKnown ? work() : alone(work)));
  previous = creation.catch(() => undefined);
  return creation;
}

/** A session exists for this browser. */
export function confirm() {
  misses = 0;
}

/**
 * A session does not exist for the browser that has just created it.
 * @param {number | undefined} failed the attempt with which it was created
 */
export function miss(failed) {
  if (failed !== attempt) return;
  attempt += 1;
  misses += 1;
  // Once, another tab may have replaced the cookie. Twice, the browser does not send cookies.
  if (misses > 1) isAnonymous = true;
}

/**
 * Waits for other tabs that do the same.
 * @template Value
 * @param {() => Promise<Value>} work
 * @returns {Promise<Value>}
 */
async function alone(work) {
  let isAlone = false;
  try {
    return await navigator.locks.request("granary-first-session", () => {
      isAlone = true;
      return work();
    });
  } catch (error) {
    if (isAlone) throw error;
    // Only secure contexts have locks. Elsewhere, a tab that loses its cookie to another one begins a second time. A
    // browser that denies them does not keep cookies either.
    if (globalThis.DOMException && error instanceof DOMException) isAnonymous = true;
    return work();
  }
}

async function post(requests, { machine, name, parameters }, key, mayBeAnonymous = true) {
  const current = attempt;
  const isNamed = name !== undefined && !(mayBeAnonymous && isAnonymous);
  const reply = await requests.send("/v1/sessions", {
    method: "POST", body: JSON.stringify({ machine, name: isNamed ? name : undefined, parameters }),
    headers: { "Idempotency-Key": key, ...(mayBeAnonymous && isAnonymous ? { Prefer: "anonymous" } : {}) },
  });
  if (reply.status === 403 && isNamed && mayBeAnonymous) {
    // The server does not use cookies, so nobody owns a name.
    isAnonymous = true;
    return post(requests, { machine, parameters }, key);
  }
  if (typeof reply.body?.id !== "string") throw refusal(reply);
  isKnown = true;
  return { ...description(reply), attempt: mayBeAnonymous ? current : undefined };
}

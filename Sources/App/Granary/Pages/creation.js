import { Problem, contents, request } from "./problem.js";

/**
 * The creation of sessions. The first one gives the browser a cookie, if the server is configured to. The sessions of the
 * browser belong to that cookie, and those with a name are found again by a reloaded page and by another tab.
 */

/**
 * Whether sessions are created without an owner: whoever knows the id may use them. Otherwise a browser without cookies
 * could not use its own session.
 */
let isAnonymous = !navigator.cookieEnabled;

/** The number of the current attempt to get a cookie, which all cards make together. */
let attempt = 0;

/** The number of failed attempts in a row. */
let misses = 0;

/** Whether this page has created or found a session, and so the browser has its cookie. */
let isKnown = false;

/** Settles after the creations that were requested before. @type {Promise<unknown>} */
let previous = Promise.resolve();

/**
 * Creates a session, or finds the one with a name.
 * @param {string} machine
 * @param {string | null} name null for a session that cannot be found again
 * @returns {Promise<{id: string, outputs: Record<string, unknown>, attempt: number}>} `attempt` is for `miss`
 */
export function create(machine, name) {
  if (isAnonymous || isKnown) return post(machine, name);
  // Each request without a cookie gets another one, so the others wait for the first.
  const creation = previous.then(() => (isKnown ? post(machine, name) : alone(() => post(machine, name))));
  previous = creation.catch(() => undefined);
  return creation;
}

/** A session exists for this browser. */
export function confirm() {
  misses = 0;
}

/**
 * A session does not exist for the browser that has just created it.
 * @param {number} failed the attempt with which it was created
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
    if (error instanceof DOMException) isAnonymous = true;
    return work();
  }
}

/**
 * @param {string} machine
 * @param {string | null} name
 */
async function post(machine, name) {
  const current = attempt;
  const isNamed = name !== null && !isAnonymous;
  const response = await request("/v1/sessions", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(isAnonymous ? { Prefer: "anonymous" } : {}) },
    body: JSON.stringify(isNamed ? { machine, name } : { machine }),
  });
  if (response.status === 403 && isNamed) {
    // The server does not use cookies, so nobody owns a name.
    isAnonymous = true;
    return post(machine, null);
  }
  if (!response.ok) throw await Problem.from(response);
  isKnown = true;
  return { ...(await contents(response)), attempt: current };
}

const root = "/admin/v1";
const keyName = "granary-operator-key";

/** A response that is not a success, in the words of the server. */
export class Problem extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** What the page knows for as long as it is open. */
export const session = {
  /** Whether values are revealed. The server records each time that they are. */
  isRevealed: false,
  /** The key of the operator, which only listeners that other machines can reach require. */
  key: sessionStorage.getItem(keyName) ?? "",
  /** Called with `live`, `lost` or `locked` after each request. @type {(state: string) => void} */
  linked: () => {},
};

/** @param {string} key */
export function useKey(key) {
  session.key = key;
  if (key) sessionStorage.setItem(keyName, key);
  else sessionStorage.removeItem(keyName);
}

/**
 * Sends a request to the admin interface.
 * @param {string} path below the root
 * @param {{method?: string, query?: Record<string, unknown>, body?: unknown, values?: boolean, signal?: AbortSignal}} [options]
 * @returns {Promise<any>} the content; undefined if none exists
 */
export async function call(path, options = {}) {
  const response = await send(path, options);
  return response.status === 204 ? undefined : await response.json().catch(() => ({}));
}

/** Like `call`, but returns the text. @param {string} path @param {Parameters<typeof call>[1]} [options] */
export async function text(path, options = {}) {
  return await (await send(path, options)).text();
}

/** @param {string} path @param {Parameters<typeof call>[1]} options */
async function send(path, { method = "GET", query = {}, body, values = false, signal }) {
  const fields = new Headers();
  if (session.key) authorize(fields);
  if (body !== undefined) fields.set("Content-Type", "application/json");
  let response;
  try {
    response = await fetch(address(path, values ? { ...query, values: session.isRevealed ? "shown" : undefined } : query), {
      method, headers: fields, body: body === undefined ? undefined : JSON.stringify(body), signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    session.linked("lost");
    throw new Problem(0, "The server cannot be reached.");
  }
  if (response.ok) {
    session.linked("live");
    return response;
  }
  const problem = await response.json().catch(() => ({}));
  session.linked(response.status === 401 ? "locked" : "live");
  throw new Problem(response.status, problem.detail ?? problem.title ?? `The server responded with ${response.status}.`);
}

/** Adds the key of the operator. @param {Headers} fields */
function authorize(fields) {
  try {
    fields.set("Authorization", `Bearer ${session.key}`);
  } catch {
    // A field cannot contain what was pasted with the key, such as an invisible U+200B. No request is sent that could get a 401.
    session.linked("locked");
    throw new Problem(401, "The key has a character that no key contains.");
  }
}

/** The path and query of a request. @param {string} path @param {Record<string, unknown>} query */
export function address(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));
  return `${root}${path}${pairs.length ? `?${search}` : ""}`;
}

/** The machines, requested once. @type {Promise<Machine[]> | undefined} */
let requested;

/**
 * The machines of the server.
 * @returns {Promise<Machine[]>}
 * @typedef {{name: string, schema: import("/inspector/schema.js").Schema, kind?: string}} Port
 * @typedef {{name: string, summary: string, durability: string, inputs: Port[], outputs: Port[], concealed: string[], obstacle: string | null, hibernates: boolean}} Machine
 */
export function machines() {
  requested ??= call("/machines").then(({ machines }) => machines);
  requested.catch(() => { requested = undefined; });
  return requested;
}

/** The longest time in milliseconds before its expiry at which a token is renewed. */
const early = 30_000;

/** The time in milliseconds after which a failed renewal is repeated, and how often. */
const [repetition, mostFailures] = [5000, 5];

/**
 * Returns the claims of a JSON Web Token without verifying them. Other tokens have none.
 * @param {string} authorization
 * @returns {{iss?: string, sub?: string, exp?: number, iat?: number}}
 */
function claims(authorization) {
  try {
    return JSON.parse(atob(authorization.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))) ?? {};
  } catch {
    return {};
  }
}

/**
 * Returns what tells the principals of credentials apart.
 * @param {string} authorization
 */
export function subject(authorization) {
  const { iss, sub } = claims(authorization);
  return sub === undefined ? authorization : JSON.stringify([iss, sub]);
}

/**
 * Returns a number that tells texts apart and does not reveal them: a token may be all that identifies a principal.
 * @param {string} text
 */
export function digest(text) {
  return [...text].reduce((hash, character) => Math.imul(hash, 31) + Number(character.codePointAt(0)) | 0, 0);
}

/**
 * Presents the next token before one expires, so that the server does not end the stream of a session. Returns a function
 * that stops that.
 * @param {import("./request.js").Requests} requests
 * @param {string} path the path of the session
 * @param {string} authorization the first credential
 * @param {(authorization: string) => void} renewed
 */
export function keepRenewed(requests, path, authorization, renewed) {
  let [failures, isStopped] = [0, false];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const renew = async (old) => {
    const next = await requests.authorization(old).catch(() => old);
    const reply = next === old ? null : await requests.send(path, { method: "HEAD" }).catch(() => null);
    if (isStopped) return;
    failures = reply?.status === 200 ? 0 : failures + 1;
    if (failures === 0) renewed(next);
    schedule(next);
  };
  const schedule = (current) => {
    const { exp, iat } = claims(current);
    if (exp === undefined || failures > mostFailures) return;
    const left = 1000 * exp - Date.now();
    // The clock of the browser may be wrong.
    const lifetime = left > 0 || iat === undefined ? left : 1000 * (exp - iat);
    const time = failures > 0 ? repetition : lifetime - Math.min(early, lifetime / 2);
    if (time > 0) timer = setTimeout(() => renew(current), Math.min(time, 2 ** 31 - 1));
  };
  schedule(authorization);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

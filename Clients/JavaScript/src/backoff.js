/**
 * Returns the time in milliseconds before the next attempt. It doubles up to 15 s, and is partly random, so that clients
 * do not all return at the same time.
 * @param {number} attempts the number of failures before this one
 * @param {number} [chance] a random number from 0 to 1
 */
export function pause(attempts, chance = Math.random()) {
  return Math.min(15_000, 500 * 2 ** Math.min(attempts, 8)) * (0.5 + chance / 2);
}

/** The time in milliseconds after which the client stops trying to reach a server: a day. */
export const patience = 86_400_000;

/** The time by two clocks: one may be set, and the other may stand still while the computer sleeps. */
export const now = () => [Date.now(), performance.now()];

/**
 * Returns the time in milliseconds since then, by the clock that shows more.
 * @param {number[]} then
 */
export const since = (then) => Math.max(...now().map((time, clock) => time - then[clock]));

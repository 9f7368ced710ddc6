/**
 * Returns the time in milliseconds before the next attempt: it doubles up to 15 s. It is partly random so that clients do
 * not all return at the same time.
 * @param {number} attempts the number of failures before this one
 * @param {number} chance a random number from 0 to 1
 */
export function pause(attempts, chance) {
  return Math.min(15_000, 500 * 2 ** attempts) * (0.5 + chance / 2);
}

/** The number of digits of an id that lists show, as in the log. */
const shortID = 12;

/** @param {string} id */
export const short = (id) => id.slice(0, shortID);

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const steps = /** @type {const} */ ([["second", 60], ["minute", 60], ["hour", 24], ["day", 365], ["year", Infinity]]);

/**
 * Returns how long ago or ahead a time is.
 * @param {string | null} time
 * @param {number} [now]
 */
export function ago(time, now = Date.now()) {
  if (!time) return "–";
  let amount = (Date.parse(time) - now) / 1000;
  for (const [unit, size] of steps) {
    if (Math.abs(amount) < size) return relative.format(Math.round(amount), unit);
    amount /= size;
  }
  return time;
}

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** The time of day with milliseconds. @param {string | null} time */
export function timeOfDay(time) {
  if (!time) return "";
  const date = new Date(time);
  return `${clock.format(date)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** @param {number} count */
export function bytes(count) {
  if (count < 1024) return `${count} B`;
  return count < 1 << 20 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / (1 << 20)).toFixed(1)} MiB`;
}

/** @param {number} nanoseconds */
export function duration(nanoseconds) {
  if (nanoseconds < 1e6) return `${Math.max(1, Math.round(nanoseconds / 1000))} µs`;
  return nanoseconds < 1e9 ? `${(nanoseconds / 1e6).toFixed(1)} ms` : `${(nanoseconds / 1e9).toFixed(1)} s`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** A value on one line. @param {unknown} value @param {number} [limit] */
export function inline(value, limit = 80) {
  const text = typeof value === "string" ? JSON.stringify(value) : JSON.stringify(value) ?? "–";
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

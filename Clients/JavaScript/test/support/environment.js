import { webcrypto } from "node:crypto";

// Node 18 has it only as a module.
globalThis.crypto ??= webcrypto;

/** How much faster than a clock the timers of the client are. */
const speed = Number(process.env.TIMER_SPEED ?? 20);

// Sockets use timers of their own. Only what the client waits for itself is faster.
const { setTimeout: set, setInterval: repeat } = globalThis;
globalThis.setTimeout = (action, time = 0, ...values) => set(action, time / speed, ...values);
globalThis.setInterval = (action, time = 0, ...values) => repeat(action, time / speed, ...values);

/** A time for requests that is long also for timers that are faster. */
export const patient = 30_000 * speed;

/**
 * Waits until a condition holds, for two minutes at most, which only a failed test reaches.
 * @param {() => unknown} condition
 * @param {string} what
 */
export async function until(condition, what) {
  const end = performance.now() + 120_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited for: ${what}`);
    await new Promise((resolve) => set(resolve, 2));
  }
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Provides the memory of a tab until the end of a test. Returns what is in it. */
export function provideStorage(context) {
  const stored = new Map();
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, value: {
    getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text), removeItem: (key) => stored.delete(key),
  } });
  context.after(() => delete globalThis.sessionStorage);
  return stored;
}

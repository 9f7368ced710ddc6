import { Machine } from "./machine.js";

export { GranaryError } from "./request.js";
export { Machine };

/**
 * Creates a session of a machine, or finds the one with a name. The result is usable immediately: its status tells whether the
 * session is there, and inputs wait for it.
 * @param {string} machine
 * @param {object} [options]
 */
export function open(machine, options) {
  return new Machine(machine, options);
}

/**
 * Creates a session of a machine, or finds the one with a name. Resolves when it has its first outputs.
 * @param {string} machine
 * @param {object} [options]
 */
export function connect(machine, options) {
  return open(machine, options).ready;
}

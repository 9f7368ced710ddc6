/**
 * The inputs and outputs that a card requires, with the types of their JSON Schemas.
 * @typedef {{inputs: Record<string, string>, outputs: Record<string, string>}} Shape
 */

/**
 * Returns whether a machine has the inputs and outputs that a card requires. Its name does not matter, because any
 * program may register a machine called "counter".
 * @param {import("./machines.js").Machine} machine
 * @param {Shape} shape
 */
export function fits(machine, shape) {
  return hasPorts(machine.inputs, shape.inputs) && hasPorts(machine.outputs, shape.outputs);
}

/**
 * @param {import("./machines.js").Port[]} ports
 * @param {Record<string, string>} types
 */
function hasPorts(ports, types) {
  return Object.entries(types).every(([name, type]) =>
    ports.some((port) => port.name === name && port.schema?.type === type));
}

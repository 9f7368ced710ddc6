import { afterEach, beforeEach } from "node:test";

import { until } from "./environment.js";
import { FakeServer } from "./server.js";

/** The server of the running test. @type {FakeServer} */
export let server;
let machines = [];

beforeEach(async () => (server = await new FakeServer().start()));
afterEach(async () => {
  for (const made of machines) made.close();
  machines = [];
  await server.stop();
});

/** Closes a machine at the end of the test. Returns the machine. */
export function closing(made) {
  machines.push(made);
  return made;
}

/** Waits until machines are live. */
export const live = (...all) => until(() => all.every((each) => each.status.status === "live"), "live");
